"""The project's events, once each, over breaks of the stream and, where a position is kept, over restarts."""

from __future__ import annotations

import json
import threading
from http.client import HTTPException
from typing import Any, Callable, Iterator, Optional, Protocol

from ._requests import NoAnswer, Refused, Requests

# The service says something every 15 seconds.
_SILENCE_SECONDS = 60.0
_RETRY_SECONDS = 1.0
# Far more events than come twice: after a break the service repeats those that were not read to their end.
_MOST_REMEMBERED = 10_000


class Position(Protocol):
    """Keeps the position in the stream: everything before it was handled."""

    def load(self) -> Optional[str]:
        """None: from the beginning of the stream."""

    def save(self, event_id: str) -> None: ...


class Events:
    """Follows the stream. `handle` takes an event and a function to call once the event is handled."""

    def __init__(
        self,
        requests: Requests,
        url: str,
        *,
        position: Optional[Position],
        tell: Callable[[str], None],
        stop: threading.Event,
    ) -> None:
        self._requests, self._url, self._position = requests, url, position
        self._tell, self._stop = tell, stop
        # In the order in which they came; of those under way, whether each was handled.
        self._known: dict[str, None] = {}
        self._under_way: dict[str, bool] = {}
        self._lock = threading.Lock()

    def follow(self, handle: Callable[[dict[str, Any], Callable[[], None]], None]) -> None:
        last_id = (self._position.load() if self._position else None) or ""
        while not self._stop.is_set():
            try:
                for event_id, data in self._records(last_id):
                    last_id = event_id or last_id
                    record = json.loads(data)
                    if self._is_new(record["message_id"]):
                        self._take(last_id, record["payload"], handle)
                    if self._stop.is_set():
                        return
            except Refused as error:
                if error.status != 401:
                    raise
                self._tell(f"the stream of events was refused, and is opened again: {error}")
            except (NoAnswer, OSError, HTTPException, ValueError) as error:
                self._tell(f"the stream of events broke, and is opened again: {error!r}")
            self._stop.wait(_RETRY_SECONDS)

    def _records(self, last_id: str) -> Iterator[tuple[str, str]]:
        headers = {"accept": "text/event-stream", **({"last-event-id": last_id} if last_id else {})}
        with self._requests.open("GET", self._url, headers=headers, seconds=_SILENCE_SECONDS) as response:
            event_id, data = "", []
            for raw in response:
                line = raw.decode().rstrip("\r\n")
                name, _, value = line.partition(":")
                if name == "id" and line:
                    event_id = value[1:] if value.startswith(" ") else value
                elif name == "data" and line:
                    data.append(value[1:] if value.startswith(" ") else value)
                elif not line and data:
                    yield event_id, "\n".join(data)
                    event_id, data = "", []
                if self._stop.is_set():
                    return

    def _is_new(self, message_id: str) -> bool:
        if message_id in self._known:
            return False
        self._known[message_id] = None
        if len(self._known) > _MOST_REMEMBERED:
            del self._known[next(iter(self._known))]
        return True

    def _take(
        self, event_id: str, payload: dict[str, Any], handle: Callable[[dict[str, Any], Callable[[], None]], None]
    ) -> None:
        with self._lock:
            self._under_way[event_id] = False
        handle(payload, lambda: self._handled(event_id))

    def _handled(self, event_id: str) -> None:
        """The position is that of the last event before which nothing is under way."""
        with self._lock:
            self._under_way[event_id] = True
            handled = ""
            while self._under_way and self._under_way[next(iter(self._under_way))]:
                handled = next(iter(self._under_way))
                del self._under_way[handled]
            if handled and self._position:
                self._position.save(handled)
