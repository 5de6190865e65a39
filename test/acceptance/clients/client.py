"""A client of the interface with Python's own library, written from its text alone. It knows nothing else of the service."""

import json
import os
from dataclasses import dataclass
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

ENV = os.environ
THREE = {
    "X-API-APP-ID": ENV["APP_ID"],
    "X-API-PUBLIC-KEY": ENV["PUBLIC_KEY"],
    "X-API-SECRET-KEY": ENV["SECRET_KEY"],
    "X-LOCALE": ENV["LOCALE"],
}
BEARER = {"Authorization": "Bearer " + ENV["API_KEY"], "Content-Type": "application/json"}


@dataclass
class Page:
    data: list
    total: int


@dataclass
class Report:
    summary: dict
    byDate: dict
    byGuest: dict


# A class refuses fields that the interface does not print.
@dataclass
class Order:
    uuid: str
    orderDate: str
    totalAmount: float
    status: str
    items: list
    billingAddress: dict
    paymentMethod: str | None
    paymentStatus: str | None
    notes: str | None
    createdAt: str | None
    updatedAt: str | None


def get(path, query=None, headers=THREE):
    url = ENV["BASE_URL"] + path + ("?" + urlencode(query, doseq=True) if query else "")
    with urlopen(Request(url, headers=headers)) as answer:
        return json.load(answer)


def guests():
    found, page, total = [], 1, 1
    while len(found) < total:
        query = {
            "sessionIds": ENV["SESSIONS"].split(","),
            "start": page,
            "length": 2,
            "project": ["firstName", "lastName", "startDate", "endDate"],
        }
        answer = Page(**get("/v1/guests", query))
        found, page, total = found + answer.data, page + 1, answer.total
    return [
        [one["firstName"], one["lastName"], one["startDate"], one["ids"]["startDate"][:10], one["ids"]["status"]]
        for one in found
    ]


def refusal(path, headers):
    try:
        get(path, headers=headers)
    except HTTPError as refused:
        error = json.load(refused)["error"]
        return [refused.code, error["code"], len(error["message"]) > 0]


days = {"startDate": ENV["FROM"], "endDate": ENV["TO"]}
report = Report(**get("/guests/meal-skipping-report", days, BEARER))
moments = {"startDate": ENV["FROM"] + "T00:00:00Z", "endDate": ENV["TO"] + "T23:59:59Z"}
orders = get("/v1/orders", {**days, "includeGuestNames": True})
single = [Order(**get("/v1/orders/" + order["uuid"])) for order in orders]
meals = ("totalSkippedBreakfast", "totalSkippedLunch", "totalSkippedDinner")
print(
    json.dumps(
        {
            "guests": guests(),
            "skips": sum(guest[meal] for guest in report.byGuest.values() for meal in meals),
            "sessions": [[one["_id"], one["name"]] for one in Page(**get("/v1/sessions", moments)).data],
            "names": [order["guestNames"] for order in orders],
            "totals": [[order.uuid, order.totalAmount] for order in single],
            "errors": [
                refusal("/v1/guests", THREE),
                refusal("/v1/orders/00000000-0000-4000-8000-000000000000", THREE),
                refusal("/v1/guests?sessionId=x", {"Authorization": "Bearer nonsense"}),
            ],
        },
        ensure_ascii=False,
    )
)
