"""ask-duckdb.py LOG OUTPUT: summarizes the notifications of each app and thread with DuckDB."""

import sys

import duckdb

log, output = sys.argv[1:]

# A text column accepts a payload that is an object as well as one that was logged as a string, which it decodes.
COLUMNS = """{
    timestamp: 'VARCHAR', ts: 'VARCHAR', app: 'VARCHAR', topic: 'VARCHAR', "bundle-id": 'VARCHAR',
    "Simulator Target Bundle": 'VARCHAR', "apns-push-type": 'VARCHAR', "push-type": 'VARCHAR',
    headers: 'STRUCT("apns-topic" VARCHAR, "apns-push-type" VARCHAR)', payload: 'VARCHAR', aps: 'VARCHAR'}"""

FIELDS = ['"thread-id"', "alert.title", 'alert."title-loc-key"', 'alert."summary-arg"', 'alert."summary-arg-count"']


def paths(root):
    """The paths of all fields for a single call: every call parses the payload again."""
    return "[" + ", ".join(f"'{root}.{field}'" for field in FIELDS) + "]"


QUERY = f"""
WITH records AS (
    SELECT coalesce(timestamp, ts) AS time,
        coalesce(app, topic, "bundle-id", headers."apns-topic", "Simulator Target Bundle") AS app,
        CASE WHEN payload IS NULL THEN json_extract_string(aps, {paths("$")})
            ELSE json_extract_string(payload, {paths("$.aps")}) END AS field
    FROM read_json($log, format = 'newline_delimited', columns = {COLUMNS})
    WHERE coalesce("apns-push-type", "push-type", headers."apns-push-type", 'alert') = 'alert'
), notifications AS (
    SELECT app, nullif(field[1], '') AS thread, coalesce(field[2], field[3]) AS title,
        nullif(field[4], '') AS argument, coalesce(field[5]::INTEGER, 1) AS weight,
        CASE WHEN contains(time, '-') THEN epoch_ms(time::TIMESTAMPTZ)
            WHEN time::DOUBLE < 1e11 THEN (time::DOUBLE * 1000)::BIGINT
            ELSE time::BIGINT END AS milliseconds
    FROM records
)
SELECT app, thread, count(*) AS count, sum(weight) AS total, arg_max_null(title, milliseconds) AS title,
    coalesce(list(DISTINCT argument) FILTER (argument IS NOT NULL), []) AS arguments
FROM notifications
GROUP BY app, thread
"""

connection = duckdb.connect()
connection.execute("SET preserve_insertion_order = false")
connection.execute(f"COPY ({QUERY}) TO '{output}' (FORMAT json)", {"log": log})
