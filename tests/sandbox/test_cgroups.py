"""Groups of the kernel's, arranged in a tree that only looks like one: this machine may have none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bancada.sandbox import Limits, Sandbox, SandboxError
from bancada.sandbox.cgroups import Cgroups, NotDelegated


class FakeTree:
    """`/sys/fs/cgroup` and `/proc/self/cgroup`, as files."""

    def __init__(self, folder: Path) -> None:
        self.tree, self.own = folder / "cgroup", folder / "own"
        self.place = self.tree / "system.slice" / "bancada.service"
        self.place.mkdir(parents=True)
        self.own.write_text("0::/system.slice/bancada.service\n")
        self.write(controllers="cpu io memory pids", subtree_control="", procs=f"{os.getpid()}\n")

    def write(self, **files: str) -> None:
        for name, content in files.items():
            (self.place / f"cgroup.{name}").write_text(content)

    def find(self) -> Cgroups:
        return Cgroups.find(self.tree, self.own)


@pytest.fixture
def fake(tmp_path: Path) -> FakeTree:
    return FakeTree(tmp_path)


def test_a_delegated_group_is_found_and_divided(fake: FakeTree) -> None:
    groups = fake.find()
    groups.settle()
    assert (fake.place / "bancada-server/cgroup.procs").read_text() == str(os.getpid())
    assert (fake.place / "cgroup.subtree_control").read_text() == "+memory +pids +cpu"


def test_a_containers_group_bounds_everything_the_kernel_holds_for_it(fake: FakeTree) -> None:
    group = fake.find().make("one", Limits(memory_mb=100, disk_mb=10, threads=7))
    held = {path.name: path.read_text() for path in group.folder.iterdir()}
    assert held == {
        "memory.max": str((100 + 10 + 64) << 20),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": "7",
        "cpu.weight": "50",
    }
    group.add(4711)
    assert (group.folder / "cgroup.procs").read_text() == "4711"


def test_a_server_that_has_settled_finds_its_subtree_again_and_ends_nobody(fake: FakeTree) -> None:
    groups = fake.find()
    groups.settle()
    live = groups.make("live", Limits())
    empty = fake.place / "bancada-container-empty"
    empty.mkdir()
    fake.write(procs="")
    fake.own.write_text("0::/system.slice/bancada.service/bancada-server\n")
    again = fake.find()
    assert again == groups
    again.settle()
    assert live.folder.exists()
    assert not (live.folder / "cgroup.kill").exists()
    assert not empty.exists()


def test_without_a_processor_controller_the_rest_is_bounded(fake: FakeTree) -> None:
    fake.write(controllers="memory pids")
    groups = fake.find()
    groups.settle()
    assert (fake.place / "cgroup.subtree_control").read_text() == "+memory +pids"
    assert not (groups.make("one", Limits()).folder / "cpu.weight").exists()


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"controllers": "cpu io"}, "counts no memory and no pids"),
        ({"controllers": "memory"}, "counts no pids"),
        ({"procs": "1\n2\n"}, "holds other processes"),
    ],
)
def test_a_group_that_is_not_enough_is_left_alone(
    fake: FakeTree, files: dict[str, str], reason: str
) -> None:
    fake.write(**files)
    with pytest.raises(NotDelegated, match=reason):
        fake.find()


def test_a_group_that_is_not_ours_is_left_alone(
    fake: FakeTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(NotDelegated, match="Delegate=yes"):
        fake.find()


def test_a_machine_of_version_one_has_none(fake: FakeTree) -> None:
    fake.own.write_text("4:memory:/x\n1:cpu:/x\n")
    with pytest.raises(NotDelegated, match="no cgroup v2"):
        fake.find()


async def test_a_container_is_counted_before_its_first_cell_and_not_run_where_it_cannot_be(
    fake: FakeTree, tmp_path: Path
) -> None:
    groups = fake.find()
    sandbox = Sandbox(
        "ns",
        tmp_path / "run",
        max_containers=2,
        idle_seconds=60,
        open_seconds=5,
        libraries=(),
        groups=groups,
    )
    try:
        container = await sandbox.open(id="counted")
        group = fake.place / "bancada-container-counted"
        assert (group / "cgroup.procs").read_text() == str(container.pid)
        await container.end()
        (fake.place / "bancada-container-other").write_text("in the way")
        with pytest.raises(SandboxError, match="cannot be counted"):
            await sandbox.open(id="other")
        assert sandbox.containers() == []
        assert await sandbox.open(id="third")
    finally:
        await sandbox.close()
