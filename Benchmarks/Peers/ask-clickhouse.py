"""ask-clickhouse.py LOG OUTPUT [MODE]: summarizes the notifications of each app and thread with ClickHouse in this process.

The modes are those of ask-duckdb.py.
"""

import sys

from chdb.session import Session

log, output = sys.argv[1:3]
mode, _, until = (sys.argv[3] if len(sys.argv) > 3 else "").partition("=")
has_versions = mode in ("updates", "days")

# A text column accepts a payload that is an object as well as one that was logged as a string, which it decodes. Absent
# texts are empty, which is faster than null.
VERSION_COLUMNS = """, device String, `device-token` String, token String, `apns-collapse-id` String,
    `collapse-id` String""" if has_versions else ""
VERSION_HEADER = ", `apns-collapse-id` String" if has_versions else ""
COLUMNS = f"""
    timestamp String, ts String, app LowCardinality(String), topic LowCardinality(String),
    `bundle-id` LowCardinality(String), `Simulator Target Bundle` LowCardinality(String),
    `apns-push-type` LowCardinality(String), `push-type` LowCardinality(String),
    headers Tuple(`apns-topic` String, `apns-push-type` String{VERSION_HEADER}), payload String, aps String
    {VERSION_COLUMNS}"""

# The fields that are extracted from a payload, in a single pass.
APS = """Tuple(`thread-id` String,
    alert Tuple(title String, `title-loc-key` String, `summary-arg` String, `summary-arg-count` Int32))"""

IDENTITY = """,
    concat(device, `device-token`, token) AS person,
    concat(`apns-collapse-id`, `collapse-id`, headers.`apns-collapse-id`) AS collapse""" if has_versions else ""

NOTIFICATIONS = f"""
WITH
    multiIf(app != '', app, topic != '', topic, `bundle-id` != '', `bundle-id`,
        headers.`apns-topic` != '', headers.`apns-topic`, `Simulator Target Bundle`) AS name,
    if(payload = '', JSONExtract(aps, '{APS}'), JSONExtract(payload, 'aps', '{APS}')) AS fields,
    fields.alert AS alert,
    if(timestamp != '', timestamp, ts) AS time,
    multiIf(position(time, '-') > 0, toUnixTimestamp64Milli(parseDateTime64BestEffort(time, 3)),
        position(time, '.') > 0, toInt64(round(toFloat64(time) * 1000)),
        toInt64(time)) AS milliseconds,
    fields.`thread-id` AS thread_id,
    if(alert.title != '', alert.title, alert.`title-loc-key`) AS heading{IDENTITY}"""

LOG = f"""FROM file('{log}', 'JSONEachRow', '{COLUMNS}')
WHERE concat(`apns-push-type`, `push-type`, headers.`apns-push-type`) IN ('', 'alert')"""


def summary(source, name="name"):
    return f"""
SELECT {name} AS app, nullIf(thread_id, '') AS thread, count() AS count,
    sum(if(alert.`summary-arg-count` = 0, 1, alert.`summary-arg-count`)) AS total,
    argMax(heading, milliseconds) AS title,
    groupUniqArrayIf(alert.`summary-arg`, alert.`summary-arg` != '') AS arguments
{source}
GROUP BY {name}, thread_id"""


DAY = 86_400_000

QUERIES = {
    "": NOTIFICATIONS + summary(LOG),
    "until": NOTIFICATIONS + summary(f"{LOG} AND milliseconds <= {until}"),
    # A notification without a collapse identifier is the only version of itself.
    "updates": summary(f"""FROM (
    {NOTIFICATIONS}
    SELECT name, thread_id, alert, heading, milliseconds {LOG} AND collapse = ''
    UNION ALL
    {NOTIFICATIONS}
    SELECT name, thread_id, alert, heading, milliseconds {LOG} AND collapse != ''
    ORDER BY milliseconds DESC LIMIT 1 BY person, name, collapse
)"""),
    # An update stays in its group, and counts on the day on which the notification first appeared.
    "days": f"""
SELECT day, name AS app, nullIf(thread_id, '') AS thread,
    sum(added) OVER (PARTITION BY name, thread_id ORDER BY day) AS count, title
FROM (
    SELECT day, name, thread_id, countIf(collapse = '' OR place = 1) AS added, argMax(heading, milliseconds) AS title
    FROM (
        {NOTIFICATIONS}
        SELECT name, thread_id, collapse, heading, milliseconds, intDiv(milliseconds + {DAY - 1}, {DAY}) AS day,
            if(collapse = '', 1,
                row_number() OVER (PARTITION BY person, name, collapse ORDER BY milliseconds)) AS place
        {LOG}
    )
    GROUP BY day, name, thread_id
)""",
}

Session().query(f"""{QUERIES[mode]}
INTO OUTFILE '{output}' TRUNCATE
FORMAT JSONEachRow
""")
