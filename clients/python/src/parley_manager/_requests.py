"""Requests to the service."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from http.client import HTTPException, HTTPResponse
from typing import Any, Callable, Mapping, Optional, Union

Token = Union[str, Callable[[], str], None]

_REQUEST_SECONDS = 30.0
_PATIENCE_SECONDS = 30.0
_FIRST_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 0.5, 10.0


class Refused(Exception):
    """The service has understood the request and does not take it: the same request would be refused again."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class NoAnswer(Exception):
    """No answer came, or one that says to send the request again (5xx, 429)."""


class Requests:
    """Sends requests with the caller's token."""

    def __init__(self, token: Token, tell: Callable[[str], None]) -> None:
        self._token = token
        self._tell = tell

    def call(
        self,
        method: str,
        url: str,
        body: Optional[object] = None,
        *,
        until: Optional[datetime] = None,
        ended: Optional[threading.Event] = None,
    ) -> Any:
        """Returns the JSON of the answer.

        A request without an answer is sent again until that time; left out: for half a minute. Raises Refused for a
        4xx that stays one, and NoAnswer when the time is over or `ended` is set.
        """
        last = until or datetime.now(timezone.utc) + timedelta(seconds=_PATIENCE_SECONDS)
        pause_seconds = _FIRST_PAUSE_SECONDS
        while True:
            try:
                with self.open(method, url, body=body, seconds=_REQUEST_SECONDS) as response:
                    text = response.read().decode()
                return json.loads(text) if text else None
            except (OSError, HTTPException) as error:
                fault = NoAnswer(f"{method} {url}: {error!r}")
            except NoAnswer as error:
                fault = error
            if datetime.now(timezone.utc) + timedelta(seconds=pause_seconds) >= last:
                raise fault
            self._tell(f"{fault}; the request is sent again")
            if (ended or threading.Event()).wait(pause_seconds):
                raise fault
            pause_seconds = min(2 * pause_seconds, _LONGEST_PAUSE_SECONDS)

    def open(
        self,
        method: str,
        url: str,
        *,
        body: Optional[object] = None,
        headers: Mapping[str, str] = {},
        seconds: float,
    ) -> HTTPResponse:
        """Sends once, and returns the answer as it comes. Silence for so many seconds raises TimeoutError."""
        request = urllib.request.Request(url, method=method, headers={**self._headers(body), **headers})
        if body is not None:
            request.data = json.dumps(body).encode()
        try:
            response: HTTPResponse = urllib.request.urlopen(request, timeout=seconds)
            return response
        except urllib.error.HTTPError as error:
            why = f"{method} {url}: {error.code} {_words_of(error.read())}"
            if error.code >= 500 or error.code in (408, 429):
                raise NoAnswer(why) from error
            raise Refused(why, error.code) from error

    def _headers(self, body: Optional[object]) -> dict[str, str]:
        token = self._token() if callable(self._token) else self._token
        return {
            **({} if body is None else {"content-type": "application/json"}),
            **({} if token is None else {"x-auth-token": token}),
        }


def _words_of(content: bytes) -> str:
    """`detail` and `hint` of a problem say what is wrong and what helps."""
    text = content.decode(errors="replace")
    try:
        problem = json.loads(text)
        words = "; ".join(str(problem[name]) for name in ("detail", "hint") if problem.get(name))
    except (ValueError, AttributeError):
        words = ""
    return words or text[:500]
