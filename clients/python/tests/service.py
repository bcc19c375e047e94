"""A service of the tests' own: a stream of events, and requests that are taken down."""

from __future__ import annotations

import json
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Optional


class Service:
    def __init__(self) -> None:
        self.taken: list[tuple[str, str, Any, Optional[str]]] = []
        #: The last-event-id of each stream that was opened.
        self.streams: list[str] = []
        #: Answers in their order; then each request is taken.
        self.answers: list[tuple[int, Any]] = []
        self._events: "queue.Queue[Optional[bytes]]" = queue.Queue()
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                if self.path.startswith("/v1/events"):
                    service._stream(self)
                else:
                    self._answer(200, {"instance_ids": ["listed-1", "listed-2"]})

            def do_PUT(self) -> None:
                content = self.rfile.read(int(self.headers["content-length"]))
                service.taken.append(("PUT", self.path, json.loads(content), self.headers["x-auth-token"]))
                status, body = service.answers.pop(0) if service.answers else (200, {"failed": []})
                self._answer(status, body)

            def _answer(self, status: int, body: Any) -> None:
                content = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def _stream(self, request: BaseHTTPRequestHandler) -> None:
        self.streams.append(request.headers.get("last-event-id", ""))
        request.send_response(200)
        request.send_header("connection", "close")
        request.end_headers()
        while True:
            try:
                content = self._events.get(timeout=0.2)
            except queue.Empty:
                content = b":\n\n"
            if content is None:
                request.close_connection = True
                return
            try:
                request.wfile.write(content)
            except OSError:
                return

    def emit(self, event_id: str, event: dict[str, Any], message_id: Optional[str] = None) -> None:
        record = {"message_id": message_id or event_id, "event_type": "maintenance.planned", "payload": event}
        self._events.put(f"id: {event_id}\ndata: {json.dumps(record)}\n\n".encode())

    def break_stream(self) -> None:
        self._events.put(None)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def until(holds: Callable[[], Any], seconds: float = 60) -> Any:
    """Waits until it holds, and returns it."""
    end = time.monotonic() + seconds
    while not (value := holds()):
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.02)
    return value
