"""Answers whatever a project is asked."""

from __future__ import annotations

import dataclasses
import sys
import threading
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from typing import Any, Callable, Iterable, Mapping, Optional, Union

from ._events import Events, Position
from ._requests import Refused, Requests, Token

__all__ = ["Agreement", "Answer", "Handler", "Manager", "Position", "Question"]


@dataclasses.dataclass(frozen=True)
class Question:
    """Something that the project is asked."""

    #: MAINTENANCE, PREPARE_MAINTENANCE, PLANNED_MAINTENANCE, SCALE_IN or MAINTENANCE_COMPLETE.
    state: str
    session_id: str
    #: The instances that the question is about. SCALE_IN: at most the one whose end helps most.
    instance_ids: tuple[str, ...]
    #: The actions that an answer may choose from.
    allowed_actions: tuple[str, ...]
    #: The time until which a reply counts.
    reply_at: datetime
    #: The time at which the service acts at the latest.
    actions_at: datetime
    #: The payload of the event, with the names of the interface.
    event: Mapping[str, Any]
    #: The latest time until which an answer may put the work off; None: the work cannot be put off.
    not_before_latest: Optional[datetime] = None


@dataclasses.dataclass(frozen=True)
class Agreement:
    """Agrees, with actions and times. A time without a zone is in UTC."""

    #: An action for each instance; those left out move by default.
    actions: Mapping[str, str] = dataclasses.field(default_factory=dict)
    #: None of the instances is impacted before this time.
    not_before: Optional[datetime] = None
    #: The same for single instances, by their IDs; each counts before not_before.
    instance_not_before: Mapping[str, datetime] = dataclasses.field(default_factory=dict)


#: "ACK" or "NACK"; an Agreement, or its actions alone; None: no reply is sent.
Answer = Union[str, Mapping[str, str], Agreement, None]
Handler = Callable[[Question], Answer]

# Items of one request at the most.
_MOST_ITEMS = 1_000
_HANDLERS_AT_ONCE = 32


class Manager:
    """The manager of one project.

    url: address of the API, such as http://127.0.0.1:12347.
    project_id: ID of the project, in any form.
    token: sent with each request; a function is asked each time, because tokens expire.
    tell: is told in words what went wrong; left out: standard error.
    position: keeps the position in the stream over a restart; left out: a restart reads from the beginning.
    """

    def __init__(
        self,
        url: str,
        project_id: str,
        *,
        token: Token = None,
        tell: Optional[Callable[[str], None]] = None,
        position: Optional[Position] = None,
    ) -> None:
        self._api = f"{url.rstrip('/')}/v1"
        self._project_id = project_id
        self._tell = tell or (lambda line: print(line, file=sys.stderr))
        self._requests = Requests(token, self._tell)
        self._position = position

    def store(
        self, *, groups: Iterable[Mapping[str, Any]] = (), instances: Iterable[Mapping[str, Any]] = ()
    ) -> None:
        """Stores constraints, groups first. Raises Refused when the service does not take one of them."""
        for name, items in (("instance_groups", list(groups)), ("instances", list(instances))):
            for start in range(0, len(items), _MOST_ITEMS):
                part = [{**item, "project_id": self._project_id} for item in items[start : start + _MOST_ITEMS]]
                answer = self._requests.call("PUT", f"{self._api}/constraints", {name: part})
                if answer["failed"]:
                    lines = [f"{one['pointer']}: {one['problem'].get('detail', 'refused')}" for one in answer["failed"]]
                    raise Refused("; ".join(lines), 422)

    def run(
        self,
        handlers: Mapping[str, Handler],
        *,
        told: Optional[Callable[[Mapping[str, Any]], None]] = None,
        stop: Optional[threading.Event] = None,
    ) -> None:
        """Answers by the handler of each state, in threads, until `stop` is set (noticed within 15 seconds).

        A question whose handler raises, or returns None, stays open: the service then does what it does by default.
        `told` gets everything that is no question, and questions without a handler.
        """
        ended = stop or threading.Event()
        url = f"{self._api}/events?project_id={urllib.parse.quote(self._project_id)}"
        events = Events(self._requests, url, position=self._position, tell=self._tell, stop=ended)
        with ThreadPoolExecutor(_HANDLERS_AT_ONCE, "parley-manager") as threads:

            def handle(event: dict[str, Any], done: Callable[[], None]) -> None:
                threads.submit(self._handle, event, handlers, told, ended).add_done_callback(lambda _: done())

            events.follow(handle)

    def _handle(
        self,
        event: Mapping[str, Any],
        handlers: Mapping[str, Handler],
        told: Optional[Callable[[Mapping[str, Any]], None]],
        ended: threading.Event,
    ) -> None:
        try:
            handler = handlers.get(event.get("state", ""))
            if handler is None or not event.get("reply_url") or not event.get("reply_at"):
                if told:
                    told(event)
                return
            if _time_of(event["reply_at"]) <= datetime.now(timezone.utc):
                return
            question = self._question(event, ended)
            answer = handler(question)
            if answer is not None:
                body = _body_of(question, answer)
                self._requests.call("PUT", event["reply_url"], body, until=question.reply_at, ended=ended)
        except Exception as error:  # A handler may raise anything; others go on.
            self._tell(f"{event.get('state')} of session {event.get('session_id')}: {error!r}")

    def _question(self, event: Mapping[str, Any], ended: threading.Event) -> Question:
        reply_at = _time_of(event["reply_at"])
        return Question(
            state=event["state"],
            session_id=event["session_id"],
            instance_ids=self._instances_of(event["instance_ids"], reply_at, ended),
            allowed_actions=tuple(event["allowed_actions"]),
            reply_at=reply_at,
            actions_at=_time_of(event["actions_at"]),
            event=event,
            not_before_latest=_time_of(event["not_before_latest"]) if "not_before_latest" in event else None,
        )

    def _instances_of(
        self, instance_ids: Union[str, list[str]], until: datetime, ended: threading.Event
    ) -> tuple[str, ...]:
        if not isinstance(instance_ids, str):
            return tuple(instance_ids)
        if not instance_ids.startswith(("http://", "https://")):
            return (instance_ids,) if instance_ids else ()
        return tuple(self._requests.call("GET", instance_ids, until=until, ended=ended)["instance_ids"])


def _body_of(question: Question, answer: Union[str, Mapping[str, str], Agreement]) -> dict[str, Any]:
    """A question about one instance takes one action at its own address."""
    word = answer if isinstance(answer, str) else "ACK"
    agreement = answer if isinstance(answer, Agreement) else Agreement({} if isinstance(answer, str) else answer)
    actions = dict(agreement.actions)
    body: dict[str, Any] = {"session_id": question.session_id, "state": f"{word}_{question.state}"}
    if agreement.not_before:
        body["not_before"] = _in_utc(agreement.not_before)
    if agreement.instance_not_before:
        body["instance_not_before"] = {key: _in_utc(time) for key, time in agreement.instance_not_before.items()}
    if isinstance(question.event["instance_ids"], str):
        return {**body, "instance_actions": actions}
    return {**body, "instance_action": next(iter(actions.values()))} if actions else body


def _in_utc(time: datetime) -> str:
    aware = time if time.tzinfo else time.replace(tzinfo=timezone.utc)
    return aware.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _time_of(text: str) -> datetime:
    """Times of events are in UTC, without a zone in the text."""
    time = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc)
