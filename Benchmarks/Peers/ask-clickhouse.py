"""ask-clickhouse.py LOG OUTPUT: summarizes the notifications of each app and thread with ClickHouse in this process."""

import sys

from chdb.session import Session

log, output = sys.argv[1:]

# A text column accepts a payload that is an object as well as one that was logged as a string, which it decodes. Absent
# texts are empty, which is faster than null.
COLUMNS = """
    timestamp String, ts String, app LowCardinality(String), topic LowCardinality(String),
    `bundle-id` LowCardinality(String), `Simulator Target Bundle` LowCardinality(String),
    `apns-push-type` LowCardinality(String), `push-type` LowCardinality(String),
    headers Tuple(`apns-topic` String, `apns-push-type` String), payload String, aps String"""

# The fields that are extracted from a payload, in a single pass.
APS = """Tuple(`thread-id` String,
    alert Tuple(title String, `title-loc-key` String, `summary-arg` String, `summary-arg-count` Int32))"""

QUERY = f"""
WITH
    multiIf(app != '', app, topic != '', topic, `bundle-id` != '', `bundle-id`,
        headers.`apns-topic` != '', headers.`apns-topic`, `Simulator Target Bundle`) AS name,
    if(payload = '', JSONExtract(aps, '{APS}'), JSONExtract(payload, 'aps', '{APS}')) AS fields,
    fields.alert AS alert,
    if(timestamp != '', timestamp, ts) AS time,
    multiIf(position(time, '-') > 0, toUnixTimestamp64Milli(parseDateTime64BestEffort(time, 3)),
        position(time, '.') > 0, toInt64(round(toFloat64(time) * 1000)),
        toInt64(time)) AS milliseconds
SELECT name AS app, nullIf(fields.`thread-id`, '') AS thread, count() AS count,
    sum(if(alert.`summary-arg-count` = 0, 1, alert.`summary-arg-count`)) AS total,
    argMax(if(alert.title != '', alert.title, alert.`title-loc-key`), milliseconds) AS title,
    groupUniqArrayIf(alert.`summary-arg`, alert.`summary-arg` != '') AS arguments
FROM file('{log}', 'JSONEachRow', '{COLUMNS}')
WHERE concat(`apns-push-type`, `push-type`, headers.`apns-push-type`) IN ('', 'alert')
GROUP BY name, thread
INTO OUTFILE '{output}' TRUNCATE
FORMAT JSONEachRow
"""

Session().query(QUERY)
