"""Who may define tools, who sees them, and what a new version changes."""

from __future__ import annotations

import asyncio

import pytest

from bancada.custom import desk
from bancada.domain.errors import Conflict, Forbidden, Invalid, NotFound
from bancada.domain.json import JSONObject
from bancada.store import agents, custom_tools, people
from bancada.tools.tool import tool
from tests.custom.workshop import Workshop, parameter
from tests.house import House

LOOK: JSONObject = {"steps": [{"tool": "look", "input": {"query": "{q}"}}]}


@tool
async def look(query: str) -> str:
    """Look something up."""
    return f"found {query}"


@pytest.fixture
async def shop(workshop: Workshop) -> Workshop:
    house = workshop.house
    await house.add(look, pack="office")
    # What people make of their own is made of what an agent of theirs has.
    agent = await house.agent("Office", "look", "report", "summary")
    for person in (house.ana, house.rui, house.eva):
        assert agent.id is not None
        await house.database.run(agents.grant, person.id, agent.id)
    return workshop


async def test_an_administrators_tool_is_the_whole_organisations(
    shop: Workshop, house: House
) -> None:
    made = await shop.define("find", "composed", LOOK, parameter("q"))
    assert (made.version, made.owner_id, made.is_current) == (1, None, True)
    for person in (house.ana, house.rui, house.eva):
        assert (await house.result("find", {"q": "x"}, by=person)).content == "found x"


async def test_another_organisation_has_its_own(shop: Workshop, house: House) -> None:
    await shop.define("find", "composed", LOOK, parameter("q"))
    other = await house.database.run(people.add_organisation, "Outra")
    stranger = await house.database.run(
        people.add_person, organisation_id=other, email="x@x.com", name="X", role="admin"
    )
    got = await house.result("find", {"q": "x"}, by=stranger)
    assert got.code == "unknown_tool"
    assert await shop.desk.listed(stranger) == []
    with pytest.raises(NotFound):
        await shop.desk.change(stranger, "find", {"description": "mine"})
    with pytest.raises(NotFound):
        await shop.desk.versions(stranger, "find")
    assert (await shop.define("find", "composed", LOOK, parameter("q"), by=stranger)).version == 1


async def test_a_change_is_a_new_version_and_the_old_one_stays(
    shop: Workshop, house: House
) -> None:
    await shop.define("find", "composed", LOOK, parameter("q"))
    await house.result("find", {"q": "x"})
    changed = await shop.desk.change(
        house.eva,
        "find",
        {"definition": {"steps": [{"tool": "look", "input": {"query": "new {q}"}}]}},
    )
    assert changed.version == 2
    assert (await house.result("find", {"q": "x"})).content == "found new x"
    first, second = await shop.desk.versions(house.eva, "find")
    assert [first.version, second.version] == [2, 1]
    assert second.definition == LOOK
    assert not second.is_current
    lines = [line for line in await house.lines() if line["tool"] == "find"]
    called = [line["tool_version"] for line in lines if "tool_version" in line]
    assert called == ["1", "2"]


async def test_another_process_sees_a_change_at_its_next_call(shop: Workshop, house: House) -> None:
    await shop.define("find", "composed", LOOK, parameter("q"))
    elsewhere = Workshop(
        House(
            database=house.database,
            organisation_id=house.organisation_id,
            ana=house.ana,
            rui=house.rui,
            eva=house.eva,
        )
    )
    elsewhere.house.registry.add(look, pack="office")
    assert (await elsewhere.house.result("find", {"q": "x"})).content == "found x"
    await shop.desk.retire(house.eva, "find")
    assert (await elsewhere.house.result("find", {"q": "x"})).code == "unknown_tool"
    assert (await house.result("find", {"q": "x"})).code == "unknown_tool"


async def test_a_retired_name_can_be_used_again_with_the_next_version(
    shop: Workshop, house: House
) -> None:
    await shop.define("find", "composed", LOOK, parameter("q"))
    with pytest.raises(Conflict):
        await shop.define("find", "composed", LOOK, parameter("q"))
    await shop.desk.retire(house.eva, "find")
    with pytest.raises(NotFound):
        await shop.desk.retire(house.eva, "find")
    assert (await shop.define("find", "composed", LOOK, parameter("q"))).version == 2


async def test_of_many_who_define_the_same_name_at_once_one_does(
    shop: Workshop, house: House
) -> None:
    tried = await asyncio.gather(
        *(shop.define("find", "composed", LOOK, parameter("q")) for _ in range(8)),
        return_exceptions=True,
    )
    assert sum(not isinstance(one, BaseException) for one in tried) == 1
    assert all(isinstance(one, Conflict) for one in tried if isinstance(one, BaseException))
    assert len(await shop.desk.versions(house.eva, "find")) == 1


async def test_the_name_of_a_packs_tool_is_refused(shop: Workshop) -> None:
    with pytest.raises(Invalid, match="pack office"):
        await shop.define("look", "composed", LOOK, parameter("q"))


async def test_a_tool_keeps_its_name_and_two_changes_at_once_do_not_pass_each_other(
    shop: Workshop, house: House
) -> None:
    made = await shop.define("find", "composed", LOOK, parameter("q"))
    with pytest.raises(Conflict, match="keeps its name"):
        await shop.desk.change(house.eva, "find", {"name": "other"})
    await shop.desk.change(house.eva, "find", {"description": "two"})
    with pytest.raises(Conflict, match="meanwhile"):
        await house.database.run(custom_tools.change, made, from_version=made.version)


async def test_people_define_their_own_only_where_the_organisation_lets_them(
    shop: Workshop, house: House
) -> None:
    with pytest.raises(Forbidden):
        await shop.define("mine", "composed", LOOK, parameter("q"), by=house.ana)
    await shop.settings(custom_tools="users")
    made = await shop.define("mine", "composed", LOOK, parameter("q"), by=house.ana)
    assert made.owner_id == house.ana.id
    assert (await house.result("mine", {"q": "x"}, by=house.ana)).content == "found x"
    assert (await house.result("mine", {"q": "x"}, by=house.rui)).code == "unknown_tool"
    assert (await house.result("mine", {"q": "x"}, by=house.eva)).code == "unknown_tool"
    await shop.settings(custom_tools="admins")
    assert (await house.result("mine", {"q": "x"}, by=house.ana)).code == "unknown_tool"
    await shop.settings(custom_tools="off")
    with pytest.raises(Forbidden):
        await shop.define("ours", "composed", LOOK, parameter("q"))


async def test_nobody_has_tools_of_their_own_without_end(
    shop: Workshop, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "MOST_OWN", 1)
    await shop.settings(custom_tools="users")
    await shop.define("mine", "composed", LOOK, parameter("q"), by=house.ana)
    with pytest.raises(Conflict, match="At most 1"):
        await shop.define("more", "composed", LOOK, parameter("q"), by=house.ana)
    assert await shop.define("mine_too", "composed", LOOK, parameter("q"), by=house.rui)


async def test_ones_own_tool_goes_with_one_to_every_agent(shop: Workshop, house: House) -> None:
    await shop.settings(custom_tools="users")
    await shop.define("mine", "composed", LOOK, parameter("q"), by=house.ana)
    agent = await house.agent("Ajudante", "look")

    async def offered(person: object) -> list[str]:
        scope = house.scope(person, agent=agent)  # type: ignore[arg-type]
        return [tool.name for tool, _ in await house.gate.visible(scope)]

    assert await offered(house.ana) == ["look", "mine"]
    assert await offered(house.rui) == ["look"]
    assert not (await house.result("mine", {"q": "x"}, agent=agent)).is_error


async def test_only_the_owner_changes_a_persons_tool_and_an_administrator_may_take_it_away(
    shop: Workshop, house: House
) -> None:
    await shop.settings(custom_tools="users")
    await shop.define("mine", "composed", LOOK, parameter("q"), by=house.ana)
    with pytest.raises(NotFound):
        await shop.desk.change(house.rui, "mine", {"description": "x"})
    with pytest.raises(NotFound):
        await shop.desk.retire(house.rui, "mine")
    with pytest.raises(Forbidden):
        await shop.desk.change(house.eva, "mine", {"description": "x"})
    assert (await shop.desk.change(house.ana, "mine", {"description": "x"})).version == 2
    assert [row.name for row in await shop.desk.listed(house.rui)] == []
    assert [row.name for row in await shop.desk.listed(house.eva)] == ["mine"]
    await shop.desk.retire(house.eva, "mine")
    assert (await house.result("mine", {"q": "x"})).code == "unknown_tool"


async def test_what_everybody_calls_cannot_be_made_of_what_one_person_has(
    shop: Workshop, house: House
) -> None:
    await shop.settings(custom_tools="users")
    await shop.define("mine", "composed", LOOK, parameter("q"), by=house.eva, own=True)
    steps = {"steps": [{"tool": "mine", "input": {"q": "x"}}]}
    with pytest.raises(Invalid, match="no tool called 'mine'"):
        await shop.define("ours", "composed", steps)
    assert await shop.define("mine_too", "composed", steps, by=house.eva, own=True)


async def test_trying_a_definition_keeps_nothing(shop: Workshop, house: House) -> None:
    shape = {
        "name": "find",
        "kind": "composed",
        "description": "d",
        "parameters": [parameter("q")],
        "definition": LOOK,
    }
    schema = await shop.desk.check(house.eva, shape)
    assert schema["required"] == ["q"]
    assert await shop.desk.listed(house.eva) == []
    with pytest.raises(Invalid):
        await shop.desk.check(house.eva, {**shape, "kind": "magic"})


async def test_settings_that_cannot_be_used_switch_the_tools_off_and_say_why(
    shop: Workshop, house: House
) -> None:
    await shop.define("find", "composed", LOOK, parameter("q"))
    await shop.settings(egress=["*"])
    got = await house.result("find", {"q": "x"})
    assert got.code == "disabled"
    assert "settings cannot be used" in str(got.content)


async def test_an_administrators_choices_hold_for_custom_tools_too(
    shop: Workshop, house: House
) -> None:
    await shop.define("find", "composed", LOOK, parameter("q"), permission_level="responsavel")
    assert (await house.result("find", {"q": "x"}, by=house.ana)).code == "forbidden"
    await house.choose_at("organisation", "", "find", is_enabled=False)
    assert (await house.result("find", {"q": "x"}, by=house.rui)).code == "disabled"


async def test_a_private_name_is_taken_from_nobody_and_tells_nobody(
    shop: Workshop, house: House
) -> None:
    await shop.settings(custom_tools="users")
    hers = await shop.define("mine", "composed", LOOK, parameter("q"), by=house.ana)
    await shop.desk.change(house.ana, "mine", {"description": "hers, changed"})
    his = await shop.define("mine", "composed", LOOK, parameter("q"), by=house.rui)
    assert (hers.version, his.version) == (1, 1)
    assert not (await house.result("mine", {"q": "x"}, by=house.rui)).is_error
    found = {person.name: house.registry.find("mine", person) for person in (house.ana, house.rui)}
    assert [tool.description for tool in found.values() if tool] == [
        "hers, changed",
        "What mine does.",
    ]
    await shop.desk.retire(house.rui, "mine")
    assert not (await house.result("mine", {"q": "x"}, by=house.ana)).is_error
    assert (await house.result("mine", {"q": "x"}, by=house.rui)).code == "unknown_tool"


async def test_a_private_tool_neither_blocks_nor_shadows_what_the_organisation_makes(
    shop: Workshop, house: House
) -> None:
    await shop.settings(custom_tools="users")
    await shop.define("report", "composed", LOOK, parameter("q"), by=house.ana)
    steps = {"steps": [{"tool": "report", "input": {"q": "x"}}]}
    with pytest.raises(Invalid, match="no tool called 'report'"):
        await shop.define("summary", "composed", steps)
    await shop.define("report", "composed", LOOK, parameter("q"), description="everybody's")
    await shop.define("summary", "composed", steps)
    await house.result("report", {"q": "x"}, by=house.ana)
    for person in (house.ana, house.rui):
        tool = house.registry.find("report", person)
        assert tool is not None
        assert (tool.description, tool.own) == ("everybody's", False)
    with pytest.raises(Conflict):
        await shop.define("report", "composed", LOOK, parameter("q"), by=house.rui)
    # Taken away again, the name is hers as before; what was made of it does not run on hers.
    await shop.desk.retire(house.eva, "report")
    assert not (await house.result("report", {"q": "x"}, by=house.ana)).is_error
    assert (await house.result("summary", {}, by=house.ana)).code == "disabled"
    await shop.desk.change(house.ana, "report", {"description": "still hers"})


async def test_an_administrator_says_whose_where_several_have_the_name(
    shop: Workshop, house: House
) -> None:
    await shop.settings(custom_tools="users")
    await shop.define("mine", "composed", LOOK, parameter("q"), by=house.ana)
    await shop.define("mine", "composed", LOOK, parameter("q"), by=house.rui)
    await shop.desk.retire(house.eva, "mine", owner=house.rui.id)
    assert [row.owner_id for row in await shop.desk.listed(house.eva)] == [house.ana.id]
    assert [row.owner_id for row in await shop.desk.versions(house.eva, "mine")] == [house.ana.id]
