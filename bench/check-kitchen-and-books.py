"""Portions and the control of orders, counted a second time: in another language and straight from the records of an export.

    sojourn export --center demo > demo.ndjson
    python3 bench/check-kitchen-and-books.py demo.ndjson http://127.0.0.1:8080 "$SOJOURN_KEY" 2026-01-01 2026-12-31

It knows the rules from docs/api-design.md and docs/records.md and shares nothing with the service. It prints what was
compared, and each difference; it ends with 1 if there is one. The key reads everything.
"""
import gzip
import json
import sys
import urllib.request
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from zoneinfo import ZoneInfo

MEALS = ("breakfast", "lunch", "dinner")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DECIMALS = {"JPY": 0, "KRW": 0, "HUF": 2, "KWD": 3}


def without_nulls(value):
    """Null clears a field: a record says the same without it."""
    if isinstance(value, dict):
        return {name: without_nulls(child) for name, child in value.items() if child is not None}
    return [without_nulls(child) for child in value] if isinstance(value, list) else value


def read(path, center_id):
    records = {}
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = without_nulls(json.loads(line, parse_float=Decimal))
            if record.get("centerId", record.get("id")) == center_id:
                records.setdefault(record["kind"], []).append(record)
    return records


def get(base, key, path):
    request = urllib.request.Request(base + path, headers={"Authorization": "Bearer " + key})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.loads(answer.read(), parse_float=Decimal)


def days(first, last):
    day = first
    while day <= last:
        yield day
        day += timedelta(days=1)


class Center:
    def __init__(self, records):
        self.record = records["center"][0]
        self.zone = ZoneInfo(self.record["timezone"])
        self.records = records
        self.rules = self.record.get("mealRules", {})
        self.customers = {one["id"]: one for one in records.get("customer", [])}
        self.owners = {one["key"]: one["of"] for one in records.get("metaField", [])}

    def day(self, moment):
        return datetime.fromisoformat(moment.replace("Z", "+00:00")).astimezone(self.zone).date()

    def diets(self, booking):
        found, answered = [], False
        for entry in self.rules.get("dietFields", []):
            of = self.customers[booking["customerId"]] if self.owners[entry["field"]] == "customer" else booking
            value = of.get("meta", {}).get(entry["field"])
            answered = answered or value is False
            if value is not None and value is not False and str(value).strip():
                found.append((entry["field"], "true" if value is True else str(value).strip()))
        return found or ([] if answered else [(None, None)]) if self.rules.get("dietFields") else []


def portions(center, first, last):
    """By day: meal counts, and portions by kind of row and its key."""
    rules, record = center.rules, center.record
    arrival = rules.get("arrivalMeals", ["dinner"])
    departure = rules.get("departureMeals", ["breakfast"])
    closed = rules.get("daysNotServed", {})
    excluded = record.get("mealReportExcludedStatuses", ["cancelled", "waitingList", "review"])
    told = [one for one in ("voided", "offer") if one not in rules.get("alsoCookFor", [])]
    counted = {}
    for day in days(first, last):
        counted[day] = {"meals": {m: {"present": 0, "skipping": 0, "portions": 0, "told": {}} for m in MEALS}, "rows": {}}
    for booking in center.records.get("booking", []):
        if booking["status"] in excluded:
            continue
        begin, end = center.day(booking["startDate"]), center.day(booking["endDate"])
        skips = booking.get("skippingMeals", {})
        for day in days(max(begin, first), min(end, last)):
            for meal in MEALS:
                if (day == begin and meal not in arrival) or (day == end and meal not in departure):
                    continue
                skipped = day.isoformat() in skips.get(meal, [])
                count = counted[day]["meals"][meal]
                if booking["status"] in told:
                    count["told"][booking["status"]] = count["told"].get(booking["status"], 0) + 1
                    continue
                count["present"] += 1
                count["skipping"] += skipped
                names = closed.get(meal, [])
                if skipped or day.isoformat() in names or WEEKDAYS[day.weekday()] in names:
                    continue
                count["portions"] += 1
                keys = [("role", booking["role"]), ("program", booking.get("programId"))]
                keys.append(("room", booking.get("acc", {}).get("roomId")))
                keys += [("diet", diet) for diet in center.diets(booking)]
                for key in keys:
                    row = counted[day]["rows"].setdefault(key, dict.fromkeys(MEALS, 0))
                    row[meal] += 1
    return counted


def answered(day):
    rows = {}
    for kind, name in (("role", "byRole"), ("program", "byProgram"), ("room", "byRoom"), ("diet", "byDiet")):
        for row in day[name]:
            key = (row["field"], row["value"]) if kind == "diet" else row[kind]
            plates = {meal: row[meal] for meal in MEALS}
            if any(plates.values()):
                rows[(kind, key)] = plates
    meals = {
        meal: {
            **{name: count[name] for name in ("present", "skipping", "portions")},
            "told": {status: n["present"] for status, n in count["notCookedFor"].items() if n["present"]},
        }
        for meal, count in day["meals"].items()
    }
    return {"meals": meals, "rows": rows}


def control(center, first, last):
    totals, wrong = {}, {}
    guests = {}
    for booking in center.records.get("booking", []):
        guests.setdefault(booking.get("orderUuid"), []).append(booking)
    sessions = {one["id"]: (center.day(one["startDate"]), center.day(one["endDate"])) for one in center.records.get("session", [])}
    for order in center.records.get("order", []):
        day = center.day(order["orderDate"])
        if not first <= day <= last:
            continue
        currency = order.get("currency", center.record["currency"])
        total = Decimal(order["totalAmount"])
        for key in ((currency,), (currency, "status", order["status"]), (currency, "day", day.isoformat())):
            count, amount = totals.get(key, (0, Decimal(0)))
            totals[key] = (count + 1, amount + total)
        kinds = set()
        unit = Decimal(1).scaleb(-DECIMALS.get(currency, 2))
        items = order.get("items", [])
        rounded = [x.quantize(unit, ROUND_HALF_UP) for x in (total, sum((Decimal(i["quantity"]) * Decimal(i["price"]) for i in items), Decimal(0)))]
        if items and rounded[0] != rounded[1]:
            kinds.add("totalDiffersFromItems")
        own = guests.get(order["uuid"], [])
        main = [one for one in own if one.get("isOrderMainGuest")]
        if not own:
            kinds.add("noGuests")
        elif not main:
            kinds.add("noMainGuest")
        spans = [sessions[s] for one in (main or own) for s in one.get("sessionIds", [])]
        for one in own:
            stay = center.day(one["startDate"]), center.day(one["endDate"])
            if spans and one["status"] not in ("cancelled", "voided") and not any(stay[1] >= a and stay[0] <= b for a, b in spans):
                kinds.add("stayOutsideSession")
        paid = lambda what: sum((Decimal(one.get("financial", {}).get(what, {}).get("amount", 0)) for one in own), Decimal(0))
        says = order.get("paymentStatus", order["status"]).replace("_", "").lower()
        if says == "paid" and paid("deposit") <= 0 and paid("fullPayment") <= 0:
            kinds.add("paidWithoutPayment")
        if says == "unpaid" and paid("deposit") > 0:
            kinds.add("depositButUnpaid")
        if kinds:
            wrong[order["uuid"]] = kinds
    loose = {
        one["id"]
        for one in guests.get(None, [])
        if first <= center.day(one["startDate"]) <= last and Decimal(one.get("financial", {}).get("deposit", {}).get("amount", 0)) > 0
    }
    return totals, wrong, loose


def main(path, base, key, first, last):
    first, last = date.fromisoformat(first), date.fromisoformat(last)
    center = Center(read(path, get(base, key, "/v1/me")["center"]["id"]))
    query = f"startDate={first}&endDate={last}"
    differences = 0

    def compare(what, mine, theirs):
        nonlocal differences
        if mine != theirs:
            differences += 1
            print("DIFFERENT", what, "counted", mine, "answered", theirs)

    mine = portions(center, first, last)
    theirs = {date.fromisoformat(day["date"]): answered(day) for day in get(base, key, "/v1/meals/portions?" + query)["days"]}
    compare("days", sorted(mine), sorted(theirs))
    rows = 0
    for day in mine:
        compare(f"{day} meals", mine[day]["meals"], theirs[day]["meals"])
        for row in {**mine[day]["rows"], **theirs[day]["rows"]}:
            rows += 1
            compare(f"{day} {row}", mine[day]["rows"].get(row), theirs[day]["rows"].get(row))
    plates = sum(day["meals"][meal]["portions"] for day in mine.values() for meal in MEALS)
    print(f"portions: {len(mine)} days, {plates} plates, {rows} rows")

    totals, wrong, loose = control(center, first, last)
    books = get(base, key, "/v1/orders/control?includePayments=true&" + query)
    found = {}
    for one in books["currencies"]:
        found[(one["currency"],)] = (one["orders"], Decimal(one["total"]))
        for row in one["byStatus"]:
            found[(one["currency"], "status", row["status"])] = (row["orders"], Decimal(row["total"]))
        for row in one["byDay"]:
            found[(one["currency"], "day", row["date"])] = (row["orders"], Decimal(row["total"]))
    for key_ in {**totals, **found}:
        compare(f"total {key_}", totals.get(key_), found.get(key_))
    kinds = {one["uuid"]: {problem["kind"] for problem in one["problems"]} for one in books["mismatches"]}
    compare("number of orders that do not fit", len(wrong), books["doNotFit"])
    compare("number of deposits without an order", len(loose), books["looseDeposits"])
    for uuid in kinds:
        compare(f"order {uuid}", wrong.get(uuid), kinds[uuid])
    compare("deposits without an order", {one["guestId"] for one in books["depositsWithoutOrder"]} <= loose, True)
    print(f"orders: {books['orders']} orders, {len(totals)} totals, {len(wrong)} do not fit, {len(loose)} deposits without an order")
    print("no difference" if differences == 0 else f"{differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
