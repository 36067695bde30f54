"""Tools about categories: the classes along location, system, context, or what an import brings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bancada import JSONObject, ToolContext
from bancada.packs.graph.answers import Limit, Offset, OpenGraph, page
from bancada.packs.graph.graph import Category


class Categories:
    """list_categories, count_by_category."""

    def __init__(self, graph: OpenGraph) -> None:
        self._graph = graph

    def list_categories(
        self,
        context: ToolContext,
        dimension: str | None = None,
        limit: Limit = 200,
        offset: Offset = 0,
    ) -> JSONObject:
        """List the category hierarchy, each category followed by those below it.

        Args:
            dimension: Only this dimension, such as location, system or context.
            limit: How many to return.
            offset: How many to skip.
        """
        graph = self._graph(context)
        tree = Tree.of(graph.categories())
        ids = tree.walk(graph.schema.dimension(dimension))
        return {
            "dimensions": list(graph.schema.dimensions),
            "categories": [
                tree.as_json(id) | {"parent_id": tree.parents.get(id), "level": tree.level(id)}
                for id in ids[offset : offset + limit]
            ],
            **page(len(ids), limit, offset),
        }

    def count_by_category(
        self,
        context: ToolContext,
        dimension: str | None = None,
        label: str | None = None,
        limit: Limit = 200,
        offset: Offset = 0,
    ) -> JSONObject:
        """Count the nodes of each category: `count` directly, `count_with_subcategories` below too.

        Args:
            dimension: Only this dimension, such as location, system or context.
            label: Count only this label or kind.
            limit: How many categories to return.
            offset: How many to skip.
        """
        graph = self._graph(context)
        group = graph.schema.group(label)
        tree = Tree.of(graph.categories())
        ids = tree.walk(graph.schema.dimension(dimension))
        direct = graph.by_category(group)
        below = graph.within_category(group)
        return {
            "label": group.word,
            "categories": [
                tree.as_json(id)
                | {"count": direct.get(id, 0), "count_with_subcategories": below.get(id, 0)}
                for id in ids[offset : offset + limit]
            ],
            **page(len(ids), limit, offset),
        }


@dataclass(frozen=True)
class Tree:
    """Categories as a hierarchy, whatever knots an import ties into it."""

    categories: Mapping[str, Category]
    parents: Mapping[str, str]
    """Only where the category above is known, of the same dimension, and not also below."""

    @staticmethod
    def of(categories: Sequence[Category]) -> Tree:
        known = {category.id: category for category in categories}
        parents: dict[str, str] = {}
        for category in categories:
            above = known.get(category.parent_id or "")
            if above is None or above.dimension != category.dimension:
                continue
            if category.id not in _upward(above.id, parents):
                parents[category.id] = above.id
        return Tree(known, parents)

    def walk(self, dimension: str | None) -> list[str]:
        """The ids, depth first, siblings by name."""
        below: dict[str | None, list[str]] = {}
        for category in sorted(self.categories.values(), key=lambda c: (c.dimension, c.name, c.id)):
            if dimension in (None, category.dimension):
                below.setdefault(self.parents.get(category.id), []).append(category.id)
        order: list[str] = []
        waiting = below.get(None, [])[::-1]
        while waiting:
            order.append(waiting.pop())
            waiting += below.get(order[-1], [])[::-1]
        return order

    def level(self, id: str) -> int:
        return sum(1 for _ in _upward(id, self.parents))

    def as_json(self, id: str) -> JSONObject:
        category = self.categories[id]
        way = [self.categories[step].name for step in _upward(id, self.parents)]
        return {
            "id": id,
            "name": category.name,
            "dimension": category.dimension,
            "path": " > ".join(reversed(way)),
        }


def _upward(id: str, parents: Mapping[str, str]) -> Iterator[str]:
    step: str | None = id
    while step is not None:
        yield step
        step = parents.get(step)
