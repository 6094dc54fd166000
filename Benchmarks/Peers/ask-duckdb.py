"""ask-duckdb.py LOG OUTPUT [MODE]: summarizes the notifications of each app and thread with DuckDB.

The mode `until=MILLISECONDS` leaves out later ones, `updates` counts the newest version of each, and `days` shows the
groups that changed on each day, as of its end.
"""

import sys

import duckdb

log, output = sys.argv[1:3]
mode = sys.argv[3] if len(sys.argv) > 3 else ""
has_versions = mode in ("updates", "days")

# A text column accepts a payload that is an object as well as one that was logged as a string, which it decodes.
ENVELOPE = ["timestamp", "ts", "app", "topic", "bundle-id", "Simulator Target Bundle", "apns-push-type", "push-type",
            "payload", "aps"]
HEADERS = ["apns-topic", "apns-push-type"]
VERSION = ["device", "device-token", "token", "apns-collapse-id", "collapse-id"]
if has_versions:
    ENVELOPE += VERSION
    HEADERS += ["apns-collapse-id"]
COLUMNS = "{" + ", ".join(f"\"{name}\": 'VARCHAR'" for name in ENVELOPE) + ", headers: 'STRUCT(" + ", ".join(
    f'"{name}" VARCHAR' for name in HEADERS) + ")'}"

FIELDS = ['"thread-id"', "alert.title", 'alert."title-loc-key"', 'alert."summary-arg"', 'alert."summary-arg-count"']


def paths(root):
    """The paths of all fields for a single call: every call parses the payload again."""
    return "[" + ", ".join(f"'{root}.{field}'" for field in FIELDS) + "]"


# A notification without a collapse identifier is the only version of itself.
IDENTITY = """,
        coalesce(device, "device-token", token) AS device,
        coalesce("apns-collapse-id", "collapse-id", headers."apns-collapse-id") AS collapse""" if has_versions else ""

NOTIFICATIONS = f"""
WITH records AS (
    SELECT coalesce(timestamp, ts) AS time,
        coalesce(app, topic, "bundle-id", headers."apns-topic", "Simulator Target Bundle") AS app,
        CASE WHEN payload IS NULL THEN json_extract_string(aps, {paths("$")})
            ELSE json_extract_string(payload, {paths("$.aps")}) END AS field{IDENTITY}
    FROM read_json($log, format = 'newline_delimited', columns = {COLUMNS})
    WHERE coalesce("apns-push-type", "push-type", headers."apns-push-type", 'alert') = 'alert'
), notifications AS (
    SELECT app, nullif(field[1], '') AS thread, coalesce(field[2], field[3]) AS title,
        nullif(field[4], '') AS argument, coalesce(field[5]::INTEGER, 1) AS weight,
        CASE WHEN contains(time, '-') THEN epoch_ms(time::TIMESTAMPTZ)
            WHEN time::DOUBLE < 1e11 THEN (time::DOUBLE * 1000)::BIGINT
            ELSE time::BIGINT END AS milliseconds{", device, collapse" if has_versions else ""}
    FROM records
)"""

SUMMARY = """
SELECT app, thread, count(*) AS count, sum(weight) AS total, arg_max_null(title, milliseconds) AS title,
    coalesce(list(DISTINCT argument) FILTER (argument IS NOT NULL), []) AS arguments"""

DAY = 86_400_000

QUERIES = {
    "": f"{NOTIFICATIONS} {SUMMARY} FROM notifications GROUP BY app, thread",
    "until": f"{NOTIFICATIONS} {SUMMARY} FROM notifications WHERE milliseconds <= $until GROUP BY app, thread",
    "updates": f"""{NOTIFICATIONS}, newest AS (
    SELECT * FROM notifications WHERE collapse IS NULL
    UNION ALL
    SELECT * FROM notifications WHERE collapse IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY device, app, collapse ORDER BY milliseconds DESC) = 1
) {SUMMARY} FROM newest GROUP BY app, thread""",
    # An update stays in its group, and counts on the day on which the notification first appeared.
    "days": f"""{NOTIFICATIONS}, dated AS (
    SELECT app, thread, title, milliseconds, (milliseconds + {DAY - 1}) // {DAY} AS day,
        collapse IS NULL OR day = min(day) OVER (PARTITION BY device, app, collapse)
            AND 1 = row_number() OVER (PARTITION BY device, app, collapse ORDER BY milliseconds) AS is_new
    FROM notifications
), changed AS (
    SELECT day, app, thread, count(*) FILTER (is_new) AS added, arg_max_null(title, milliseconds) AS title
    FROM dated GROUP BY day, app, thread
)
SELECT day, app, thread, sum(added) OVER (PARTITION BY app, thread ORDER BY day) AS count, title FROM changed""",
}

name, _, until = mode.partition("=")
parameters = {"log": log}
if until:
    parameters["until"] = int(until)
connection = duckdb.connect()
connection.execute("SET preserve_insertion_order = false")
connection.execute(f"COPY ({QUERIES[name]}) TO '{output}' (FORMAT json)", parameters)
