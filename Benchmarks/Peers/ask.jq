# jq -nc -f ask.jq LOG: summarizes the notifications of each app and thread.
# Collects all records and groups them by sorting, because an object used as a hash table is copied with every update.

def some: select(type == "string" and length > 0);

# Converts a time to milliseconds. Date-times in the logs always have milliseconds, and offsets in whole hours.
def milliseconds:
  if type == "string" then
    ((.[0:19] + "Z" | fromdateiso8601) - (if .[23:24] == "+" then .[24:26] | tonumber else 0 end) * 3600) * 1000
    + (.[20:23] | tonumber)
  elif . < 1e11 then . * 1000
  else . end;

[ inputs
  | . as $record
  | select((."apns-push-type" // ."push-type" // .headers."apns-push-type" // "alert") == "alert")
  | (.payload // . | if type == "string" then fromjson else . end) as $payload
  | $payload.aps as $aps
  | ($aps.alert | if type == "object" then . else { body: . } end) as $alert
  | {
      app: (.app // .topic // ."bundle-id" // .headers."apns-topic" // $payload."Simulator Target Bundle"),
      thread: (($aps."thread-id" | some) // null),
      time: (.timestamp // .ts // 0 | milliseconds),
      weight: ($alert."summary-arg-count" // 1),
      title: ($alert.title // $alert."title-loc-key"),
      argument: (($alert."summary-arg" | some) // null)
    }
]
| group_by([.app, .thread])[]
| {
    app: .[0].app, thread: .[0].thread, count: length, total: (map(.weight) | add),
    title: max_by(.time).title, arguments: (map(.argument // empty) | unique)
  }
