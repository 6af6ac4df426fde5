"""The table of games in which moves score and the highest score wins, with numbers worked by hand."""

from __future__ import annotations

import re
from dataclasses import replace

from games.engine.decide import leave_match
from games.engine.events import MatchEnded
from games.engine.state import State
from games.engine.variants import rules_for
from games.rendering.headline import end_sentence, ranked_sides
from games.rendering.result import result_panel
from games.rendering.scores import newest_round, score_sheet, score_table
from games.rendering.seats import seats_zone
from games.rendering.status import last_event_text
from games.rendering.zones import zone_html
from games.words.lookup import words_for
from tests.engine.positions import move, position
from tests.games.rendering.positions import after, cells, seen, table_at, table_of, texts, zones

FIVES = rules_for("all_fives")
TRIOMINOES = rules_for("triominoes")
WORDS = words_for("all_fives", "en")
PARTNERS = {"partners": "yes"}


def last_event(state: State) -> str:
    return texts(last_event_text(table_at(state), seen(state), None, words_for(state.setup.variant, "en")))


def in_play() -> State:
    """Masha leads 6-4 and scores 6 + 4, Alex lays 6-1 on it and scores 1 + 4."""
    return move(FIVES, position(FIVES, hands=["6-4 4-2", "6-1 6-6"], standing=[100, 100]), "6-4", "6-1 left")


def finished() -> State:
    """Masha goes out with 4-2, which counts 1 + 2; Alex pays 12 pips, rounded to 10."""
    return move(FIVES, in_play(), "4-2 right")


class TestTheLastMove:
    def test_move_shows_its_points(self) -> None:
        assert last_event(in_play()) == "Alex played 6-1 on the left. +5 points"

    def test_move_without_points_shows_none(self) -> None:
        state = move(FIVES, position(FIVES, hands=["5-4 4-2", "6-1 6-6"]), "5-4")
        assert last_event(state) == "Masha led 5-4."

    def test_draw_shows_its_cost(self) -> None:
        state = position(TRIOMINOES, hands=["0-0-0 1-1-1", "2-2-2"], laid="U(0,0)=3/4/5", boneyard="0-0-1 0-0-2")
        assert last_event(move(TRIOMINOES, state, "draw")).endswith("−5 points")


class TestTheScoreTable:
    def test_before_this_round_and_total_add_up(self) -> None:
        table = score_table(table_at(finished()), finished().rounds, WORDS)
        assert cells(table) == ["100 this round 10 total 110", "100 this round −5 total 95"]

    def test_number_opens_into_points_of_moves_and_of_the_end(self) -> None:
        table = score_table(table_at(finished()), finished().rounds, WORDS)
        masha, alex = re.findall(r"<td>(.*?)</td>", table)
        assert "10 Scoring a count" in texts(masha)
        assert "5 Scoring a count" in texts(alex)
        assert "6-6 = 12 → −10 The end of a round" in texts(alex)

    def test_round_shows_the_points_of_its_moves(self) -> None:
        won = move(FIVES, position(FIVES, hands=["6-4 4-2", "6-1"], standing=[240, 0]), "6-4")
        assert cells(score_table(table_at(won), won.rounds, WORDS))[0] == "240 this round 10 total 250"

    def test_round_next_to_the_table_is_one_line(self) -> None:
        dealt = replace(position(FIVES, hands=["6-5", "6-6"]), rounds=finished().rounds)
        sheet = score_sheet(table_at(dealt), seen(dealt), WORDS)
        assert cells(sheet) == ["+10 110", "−5 95"]
        assert cells(newest_round(table_at(dealt), seen(dealt), WORDS)) == cells(sheet)

    def test_partners_have_one_column(self) -> None:
        state = position(FIVES, hands=["6-4", "6-1", "3-3", "2-2"], standing=[100, 50], options=PARTNERS)
        table = score_table(table_at(state), move(FIVES, state, "6-4").rounds, WORDS)
        assert "Masha + Olya" in texts(table)
        assert cells(table) == ["100 this round 5 total 105", "50 this round −10 total 40"]  # 10 - 5; 5 and 5


class TestScoresBesideTheNames:
    def test_standings_follow_the_moves(self) -> None:
        assert re.findall(r'<button class="score[^>]*>(.*?)</button>', zones(in_play())["seats"]) == ["110", "105"]

    def test_negative_standings_have_a_minus_sign(self) -> None:
        state = position(FIVES, hands=["6-4", "6-1"], standing=[-15, 0])
        assert 'class="score" popovertarget="about-zero">−15</button>' in zones(state)["seats"]


class TestASeat:
    def test_partner_is_named(self) -> None:
        state = position(FIVES, hands=["6-4", "6-1", "5-4", "5-1"], options=PARTNERS)
        assert re.findall(r"with (\w+)", texts(zones(state)["seats"])) == ["Olya", "Serg", "Masha", "Alex"]

    def test_no_partner_is_named_without_partners(self) -> None:
        assert "with" not in texts(zones(in_play())["seats"])

    def test_played_tiles_have_no_backs(self) -> None:
        state = position(FIVES, hands=["6-4 4-2", "6-1 6-6"])
        view = seen(state)
        empty = replace(view, seats=(replace(view.seats[0], count=0), *view.seats[1:]))
        assert zones(state)["seats"].count("#backs") == 2
        assert zone_html(seats_zone(table_at(state), empty, WORDS)).count("#backs") == 1


class TestTheEndOfTheMatch:
    def won(self, **options: str) -> State:
        hands = ["6-4 4-2", "6-1", "3-3", "2-2"]
        state = position(FIVES, hands=hands, standing=[195, 20] if options else [195, 20, 50, 20], options=options)
        return move(FIVES, state, "6-4")

    def test_result_names_the_winner(self) -> None:
        state = self.won()
        assert state.match_over
        assert end_sentence(table_at(state), state.match_over, WORDS) == "Masha wins."

    def test_names_partners_together(self) -> None:
        state = self.won(**PARTNERS)
        assert state.match_over
        assert end_sentence(table_at(state), state.match_over, WORDS) == "Masha and Olya win."

    def test_result_names_all_winners(self) -> None:
        over = MatchEnded("finished", None, "", (1, 3, 1), (), ())
        table = table_of(3, variant="all_fives", options=(("partners", "no"),))
        assert end_sentence(table, over, WORDS) == "Masha and Olya share first place."

    def test_partners_share_a_row_and_a_place(self) -> None:
        state = self.won(**PARTNERS)
        places = result_panel(table_at(state), seen(state), None, WORDS).partition("</table>")[0]
        rows = re.findall(r"<tr>(.*?)</tr>", places.partition("<tbody>")[2])
        assert [texts(row) for row in rows] == ["1 Masha + Olya 205", "2 Alex + Serg 20"]

    def test_equal_points_share_a_place(self) -> None:
        state = self.won()
        assert state.match_over
        ranked = ranked_sides(table_at(state), state.match_over, WORDS)
        assert [(rank.place, rank.seats) for rank in ranked] == [(1, (0,)), (2, (2,)), (3, (1,)), (3, (3,))]

    def test_leaver_is_listed_apart_from_the_partner(self) -> None:
        state = position(FIVES, hands=["6-4", "6-1", "3-3", "2-2"], standing=[10, 20], options=PARTNERS)
        state = after(state, *leave_match(FIVES, state, 2, "left"))
        assert state.match_over
        ranked = ranked_sides(table_at(state), state.match_over, WORDS)
        assert [(rank.place, rank.seats) for rank in ranked] == [(1, (1, 3)), (2, (0,)), (3, (2,))]
