"""The queue of turns that several processes share: DBOS's own table, written in our transaction."""

from __future__ import annotations

from sqlalchemy import Connection, text

from bancada.domain.json import JSONObject, dumps

_PUT = text(
    "SELECT dbos.enqueue_workflow(workflow_name => :name, queue_name => :queue, "
    "named_args => CAST(:given AS json), workflow_id => :id, app_version => :version, "
    "queue_partition_key => :partition, application_name => 'bancada')"
)


def put(
    db: Connection,
    id: str,
    given: JSONObject,
    *,
    name: str,
    queue: str,
    version: str,
    partition: str,
) -> None:
    """Let one process take the work up, once this is committed; `partition`: whose share it is of."""
    named = {"name": name, "queue": queue, "version": version, "partition": partition}
    db.execute(_PUT, {"id": id, "given": dumps(given), **named})
