"""An S3 server on this machine, which counts requests and can refuse some of them."""

from __future__ import annotations

import logging
import threading
import urllib.request
from collections import Counter
from typing import Any, Callable, Iterable

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

BUCKET = "bucket"
ACCESS = {"fs.s3a.access.key": "key", "fs.s3a.secret.key": "secret", "fs.s3a.endpoint.region": "us-east-1"}


class Server:
    """Runs until `stop`. What it stores is in this process, and gone then."""

    def __init__(self) -> None:
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.requests: Counter[str] = Counter()
        """By method; copies have the name COPY."""
        self.refused = 0
        """Every request whose number is divisible by it is answered by 503; 0 for none."""
        self._count = 0
        self._lock = threading.Lock()
        self._application = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def settings(self) -> dict[str, str]:
        return {**ACCESS, "fs.s3a.endpoint": f"http://127.0.0.1:{self._server.server_port}"}

    def stop(self) -> None:
        # All servers of a process share their buckets.
        request = urllib.request.Request(self.settings["fs.s3a.endpoint"] + "/moto-api/reset", method="POST")
        urllib.request.urlopen(request).close()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        method = "COPY" if "HTTP_X_AMZ_COPY_SOURCE" in environ else environ["REQUEST_METHOD"]
        with self._lock:
            self.requests[method] += 1
            self._count += 1
            is_refused = self.refused and self._count % self.refused == 0
        if is_refused:
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start("503 Slow Down", [("Content-Type", "application/xml"), ("Content-Length", "0")])
            return []
        answer: Iterable[bytes] = self._application(environ, start)
        return answer
