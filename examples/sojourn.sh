#!/usr/bin/env bash
# Five tasks with the Sojourn interface: bash, curl, jq and GNU date.
#
# export SOJOURN_KEY=sjn_key_…          # and SOJOURN_URL, unless it is the demo
# bash sojourn.sh todays-guests [DAY]
# bash sojourn.sh kitchen-week FILE [DAY]
# bash sojourn.sh orders-month MONTH    # 2025-01
# bash sojourn.sh session-guests SESSION
# bash sojourn.sh copy SESSION FILE
set -euo pipefail

BASE=${SOJOURN_URL:-http://127.0.0.1:8080}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# == Sending requests, and waiting as long as the answer says

# ask PATH [curl options]: writes the answer. Ends with 3 if it has not changed, and with 10 if the cursor is gone.
ask() {
  local path=$1 status
  shift
  for _ in {1..10}; do
    # The key comes from a file, so that it is in no list of processes.
    status=$(curl -sS -G -o "$WORK/body" -D "$WORK/head" -w '%{http_code}' \
      -H @<(echo "Authorization: Bearer $SOJOURN_KEY") "$@" "$BASE/v1$path")
    case $status in
      200) cat "$WORK/body"; return ;;
      304) return 3 ;;
      410) return 10 ;;
      429 | 503) sleep "$(header retry-after)" ;;
      *)
        jq -r '.error | ([.details[]?.message] | join(" ")) as $problems
          | "\(.code): \(if $problems == "" then .message else $problems end) (\(.docs), request \(.requestId))"' \
          "$WORK/body" >&2
        exit 1
        ;;
    esac
  done
  echo 'The service is busy; try again later.' >&2
  exit 1
}

header() { tr -d '\r' <"$WORK/head" | sed -n "s/^$1: //Ip"; }

# all_guests [curl options]: every guest of all pages, once, one a line. If somebody came or left between two pages, it begins again.
all_guests() {
  local page total
  while :; do
    : >"$WORK/pages"
    for ((page = 1; ; page++)); do
      ask /guests "$@" -d start="$page" >"$WORK/page" || return
      jq -c . "$WORK/page" >>"$WORK/pages"
      total=$(jq .total "$WORK/page")
      if [ "$(jq -s '[.[].data[].id] | unique | length' "$WORK/pages")" -ge "$total" ]; then break; fi
      if [ "$(jq '.data | length' "$WORK/page")" -eq 0 ]; then break; fi
    done
    if jq -es '([.[].total] | unique) == [[.[].data[].id] | unique | length]' "$WORK/pages" >"$WORK/same"; then
      jq -c '.data[]' "$WORK/pages"
      return
    fi
  done
}

# The center's day, which need not be this machine's.
today() { TZ=$(ask /me | jq -r .center.timezone) date +%F; }

# == Today's guests for a lab

todays_guests() {
  local day=${1:-$(today)}
  # Raw values: the date at the top is text in some language.
  all_guests -d startDate="$day" -d endDate="$day" -d project=id,name,dob,doctorName |
    jq -r 'select(.ids.status | IN("registered", "registeredOnline", "confirmed", "arrived", "paid"))
      | [.id, .name, .ids.dob // "", .doctorName // ""] | join("\t")'
}

# == The week's kitchen numbers

kitchen_week() {
  local file=$1 first=${2:-$(today)} last etag=
  last=$(date -d "$first 6 days" +%F)
  if [ -e "$file" ]; then etag=$(jq -r --arg first "$first" 'select(.first == $first).etag // ""' "$file"); fi
  # A kitchen asks often, and skips change rarely: an answer that is still right is not sent again.
  if ask /guests/meal-skipping-report -d startDate="$first" -d endDate="$last" \
    ${etag:+-H "If-None-Match: $etag"} >"$WORK/report"; then
    jq --arg first "$first" --arg etag "$(header etag)" '{first: $first, etag: $etag, byDate}' \
      "$WORK/report" >"$file.new"
    mv "$file.new" "$file"
  elif [ $? -ne 3 ]; then
    exit 1
  fi
  printf 'day\tbreakfast\tlunch\tdinner\n'
  local after day
  for after in {0..6}; do
    day=$(date -d "$first $after days" +%F)
    jq -r --arg day "$day" '.byDate[$day] as $meals
      | [$day, ("breakfast", "lunch", "dinner" | $meals[.].count // 0)] | map(tostring) | join("\t")' "$file"
  done
}

# == The month's orders to a CSV

orders_month() {
  local last
  last=$(date -d "$1-01 1 month -1 day" +%F)
  ask /orders -d startDate="$1-01" -d endDate="$last" -d includeGuestNames=true >"$WORK/orders"
  jq -r '["uuid", "orderNumber", "orderDate", "currency", "totalAmount", "status", "paymentStatus", "guestNames"],
    (.[] | [.uuid, .orderNumber, .ids.orderDate, .ids.currency, .ids.totalAmount, .ids.status,
      .ids.paymentStatus, .guestNames]) | @csv' "$WORK/orders"
}

# == Everybody of a session, with custom fields

session_guests() {
  local fields
  fields=$(ask /fields | jq -c '[.data[] | select(.custom and .readable)]')
  # A field with a raw value has it in ids, under the same path.
  all_guests -d sessionId="$1" -d project="id,name$(jq -r 'map("," + .name) | add // ""' <<<"$fields")" |
    jq -c --argjson fields "$fields" '. as $guest | {id, name} + ([$fields[]
      | (.name | ltrimstr("meta.")) as $key
      | {($key): (if .raw then $guest.ids else $guest end).meta[$key]}] | add // {})'
}

# == A copy that stays up to date

copy() {
  local session=$1 file=$2 code=4
  if [ -e "$file" ]; then follow "$session" "$file" && code=0 || code=$?; fi
  case $code in
    0) ;;
    # No copy yet, too much has changed, or the cursor is gone: begin with everything.
    3 | 4 | 10) read_everything "$session" ;;
    *) exit "$code" ;;
  esac
  # The cursor and the guests in one file, replaced at once: they always belong together.
  jq -cn --arg cursor "$(cat "$WORK/cursor")" --slurpfile guests "$WORK/guests" \
    '{cursor: $cursor, guests: $guests[0]}' >"$file.new"
  mv "$file.new" "$file"
  jq -r '"\(.guests | length) guests"' "$file"
}

# list_of SESSION [curl options]: an object of guests by their identifiers
list_of() {
  all_guests -d sessionId="$1" -d project=id,name,startDate,endDate,status "${@:2}" |
    jq -cs 'map({(.id): .}) | add // {}'
}

read_everything() {
  changes "$1" ''
  while :; do
    list_of "$1" >"$WORK/guests"
    changes "$1" "$(cat "$WORK/cursor")"
    # Something changed while the pages were read, so somebody may be missing.
    if ! [ -s "$WORK/moved" ]; then return; fi
  done
}

follow() {
  local saved
  saved=$(jq -r .cursor "$2")
  changes "$1" "$saved" || return
  if grep -q '"operation":"readAgain"' "$WORK/moved"; then return 3; fi
  echo '{}' >"$WORK/changed"
  if grep -qv '"operation":"deleted"' "$WORK/moved"; then
    list_of "$1" -d changedAfter="$saved" >"$WORK/changed" || return
  fi
  jq -c --slurpfile moved "$WORK/moved" --slurpfile changed "$WORK/changed" \
    'reduce ($moved[] | select(.operation == "deleted").id) as $id (.guests; del(.[$id])) + $changed[0]' \
    "$2" >"$WORK/guests"
}

# changes SESSION CURSOR: what has changed among the session's guests since, in $WORK/moved, and the cursor after it
changes() {
  local after=$2
  : >"$WORK/moved"
  while :; do
    ask /changes -d kinds=guests -d sessionId="$1" ${after:+-d after="$after"} >"$WORK/answer" || return
    jq -c '.data[]' "$WORK/answer" >>"$WORK/moved"
    after=$(jq -r .cursor "$WORK/answer")
    echo "$after" >"$WORK/cursor"
    if [ "$(jq .more "$WORK/answer")" = false ]; then return; fi
  done
}

# == Choosing a task

case ${1:-} in
  todays-guests | kitchen-week | orders-month | session-guests | copy) "${1//-/_}" "${@:2}" ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 1 ;;
esac
