"""The one state of a turn's task: what may follow what, whoever races for it."""

from __future__ import annotations

import pytest

from bancada.engine.state import Phase, TurnState


@pytest.mark.parametrize("strong", [Phase.LET_GO, Phase.DRAINING, Phase.STOPPING])
def test_nothing_goes_back_to_work_after_what_is_stronger(strong: Phase) -> None:
    state = TurnState(strong)

    assert not state.move(Phase.WORKING)
    assert not state.move(Phase.REPLYING)
    assert not state.move(Phase.HELD)
    assert not state.move(Phase.LEAVING)
    assert state.phase is strong


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.STOPPING])
def test_a_person_can_stop_a_turn_whatever_it_does(phase: Phase) -> None:
    state = TurnState(phase)

    assert state.stop("Enough.")
    assert (state.phase, state.reason) == (Phase.STOPPING, "Enough.")


def test_of_two_who_stop_a_turn_the_first_gives_the_reason() -> None:
    state = TurnState()

    assert state.stop("First.")
    assert not state.stop("Second.")
    assert state.reason == "First."


def test_the_end_of_the_process_does_not_take_a_stop_back() -> None:
    state = TurnState(Phase.STOPPING)

    assert not state.move(Phase.DRAINING)


def test_a_decision_that_comes_after_the_timer_does_not_find_the_turn_held() -> None:
    state = TurnState(Phase.HELD)

    assert state.move(Phase.LET_GO)
    state.decision("one").set()

    assert not state.move(Phase.WORKING)
    assert state.ends
    assert state.let_go.is_set()


def test_a_timer_that_comes_after_the_decision_lets_nothing_go() -> None:
    state = TurnState(Phase.HELD)

    assert state.move(Phase.WORKING)

    assert not state.move(Phase.LET_GO)
    assert not state.let_go.is_set()
