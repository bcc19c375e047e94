"""What the manager does with events and replies."""

from __future__ import annotations

import threading
import unittest
from datetime import datetime, timedelta, timezone
from typing import Any, Mapping, Optional

from parley_manager import Agreement, Answer, Handler, Manager, Position, Question, Refused

from .service import Service, until


def in_seconds(seconds: float) -> str:
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S")


class ManagerTest(unittest.TestCase):
    def setUp(self) -> None:
        self.service = Service()
        self.told: list[str] = []
        self.stop = threading.Event()
        self.run_of_manager: Optional[threading.Thread] = None

    def tearDown(self) -> None:
        self.stop.set()
        if self.run_of_manager:
            self.run_of_manager.join(30)
            self.assertFalse(self.run_of_manager.is_alive())
        self.service.close()

    def start(self, handlers: Mapping[str, Handler], position: Optional[Position] = None, heard: Any = None) -> None:
        manager = Manager(
            self.service.url, "project-1", token=lambda: "secret", tell=self.told.append, position=position
        )
        self.run_of_manager = threading.Thread(
            target=lambda: manager.run(handlers, told=heard, stop=self.stop), daemon=True
        )
        self.run_of_manager.start()

    def an_event(self, **given: Any) -> dict[str, Any]:
        event = {
            "state": "PLANNED_MAINTENANCE",
            "session_id": "session-1",
            "project_id": "project-1",
            "instance_ids": ["vm-1"],
            "allowed_actions": ["LIVE_MIGRATE", "MIGRATE"],
            "reply_url": f"{self.service.url}/v1/reply",
            "reply_at": in_seconds(60),
            "actions_at": in_seconds(60),
            "metadata": {},
        }
        return {**event, **given}

    def bodies(self) -> list[Any]:
        return [body for _, _, body, _ in self.service.taken]

    def test_about_one_instance_has_one_action(self) -> None:
        self.start({"PLANNED_MAINTENANCE": lambda question: {question.instance_ids[0]: "MIGRATE"}})
        self.service.emit("1", self.an_event())
        until(self.bodies)
        wanted = {"session_id": "session-1", "state": "ACK_PLANNED_MAINTENANCE", "instance_action": "MIGRATE"}
        self.assertEqual(self.service.taken, [("PUT", "/v1/reply", wanted, "secret")])

    def test_about_a_host_has_an_action_for_each_instance_behind_the_link(self) -> None:
        def move_all(question: Question) -> Answer:
            return {one: "LIVE_MIGRATE" for one in question.instance_ids}

        self.start({"PLANNED_MAINTENANCE": move_all})
        self.service.emit("1", self.an_event(instance_ids=f"{self.service.url}/v1/list"))
        body = until(self.bodies)[0]
        self.assertEqual(body["instance_actions"], {"listed-1": "LIVE_MIGRATE", "listed-2": "LIVE_MIGRATE"})

    def test_may_put_instances_off(self) -> None:
        def later(question: Question) -> Answer:
            assert question.not_before_latest
            last = question.instance_ids[-1]
            return Agreement(not_before=datetime(2040, 1, 1), instance_not_before={last: question.not_before_latest})

        self.start({"MAINTENANCE": later})
        link = f"{self.service.url}/v1/list"
        latest = "2040-01-02T00:00:00"
        self.service.emit("1", self.an_event(state="MAINTENANCE", instance_ids=link, not_before_latest=latest))
        body = until(self.bodies)[0]
        self.assertEqual(body["not_before"], "2040-01-01T00:00:00Z")
        self.assertEqual(body["instance_not_before"], {"listed-2": f"{latest}Z"})

    def test_may_refuse(self) -> None:
        self.start({"SCALE_IN": lambda question: "NACK"})
        self.service.emit("1", self.an_event(state="SCALE_IN", instance_ids=""))
        self.assertEqual(
            until(self.bodies), [{"session_id": "session-1", "state": "NACK_SCALE_IN", "instance_actions": {}}]
        )

    def test_is_sent_again_until_taken_and_never_after_a_refusal(self) -> None:
        self.service.answers = [(503, {"detail": "the database is away"}), (200, {}), (422, {"detail": "too late"})]
        self.start({"PLANNED_MAINTENANCE": lambda question: "ACK"})
        self.service.emit("1", self.an_event())
        until(lambda: len(self.service.taken) == 2)
        self.service.emit("2", self.an_event())
        until(lambda: any("too late" in line for line in self.told))
        self.assertIn("the database is away", self.told[0])
        self.assertEqual(len(self.service.taken), 3)

    def test_slow_answers_and_handlers_that_raise_hold_up_no_other(self) -> None:
        def answer(question: Question) -> Answer:
            if question.instance_ids[0] == "slow":
                until(lambda: self.service.taken)
            if question.instance_ids[0] == "broken":
                raise KeyError("no such network")
            return "ACK"

        self.start({"PLANNED_MAINTENANCE": answer})
        for number, name in enumerate(["slow", "broken", "quick"]):
            url = f"{self.service.url}/v1/{name}"
            self.service.emit(str(number), self.an_event(instance_ids=[name], reply_url=url))
        until(lambda: len(self.service.taken) == 2)
        self.assertEqual([path for _, path, _, _ in self.service.taken], ["/v1/quick", "/v1/slow"])
        self.assertIn("no such network", self.told[0])

    def test_events_that_come_twice_or_are_over_lead_to_no_second_answer(self) -> None:
        heard: list[str] = []
        self.start({"PLANNED_MAINTENANCE": lambda question: "ACK"}, heard=lambda event: heard.append(event["state"]))
        self.service.emit("1", self.an_event(reply_at=in_seconds(-5)))
        self.service.emit("2", self.an_event())
        self.service.emit("3", self.an_event(), "2")
        self.service.emit("4", self.an_event(state="INSTANCE_ACTION_DONE", reply_url="", reply_at=""))
        until(lambda: heard and self.service.taken)
        self.assertEqual((heard, len(self.service.taken)), (["INSTANCE_ACTION_DONE"], 1))

    def test_goes_on_after_a_break_and_keeps_only_what_was_handled(self) -> None:
        kept: list[str] = []
        go_on = threading.Event()

        class Kept:
            def load(self) -> Optional[str]:
                return "7"

            def save(self, event_id: str) -> None:
                kept.append(event_id)

        def slowly(question: Question) -> Answer:
            go_on.wait(60)
            return "ACK"

        self.start({"MAINTENANCE": slowly, "PLANNED_MAINTENANCE": lambda question: "ACK"}, position=Kept())
        self.service.emit("8", self.an_event())
        until(lambda: kept)
        self.service.emit("9", self.an_event(state="MAINTENANCE"))
        self.service.emit("10", self.an_event())
        until(lambda: len(self.service.taken) == 2)
        self.service.break_stream()
        until(lambda: len(self.service.streams) == 2)
        self.assertEqual((self.service.streams, kept), (["7", "10"], ["8"]))
        go_on.set()
        until(lambda: kept[-1] == "10")

    def test_constraints_are_stored_groups_first_a_thousand_in_a_request(self) -> None:
        manager = Manager(self.service.url + "/", "project-1")
        manager.store(groups=[{"group_id": "g"}], instances=({"instance_id": str(one)} for one in range(1_001)))
        sizes = [{name: len(items) for name, items in body.items()} for body in self.bodies()]
        self.assertEqual(sizes, [{"instance_groups": 1}, {"instances": 1_000}, {"instances": 1}])
        self.assertEqual(self.bodies()[0]["instance_groups"], [{"group_id": "g", "project_id": "project-1"}])
        self.service.answers = [(200, {"failed": [{"pointer": "/instances/0", "problem": {"detail": "no such one"}}]})]
        with self.assertRaisesRegex(Refused, "/instances/0: no such one"):
            manager.store(instances=[{}])


if __name__ == "__main__":
    unittest.main()
