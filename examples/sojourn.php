#!/usr/bin/env php
<?php
/*
Five tasks with the Sojourn interface. PHP 8.1 or newer, no extensions.

export SOJOURN_KEY=sjn_key_…            # and SOJOURN_URL, unless it is the demo
php sojourn.php todays-guests [DAY]
php sojourn.php kitchen-week FILE [DAY]
php sojourn.php orders-month MONTH      # 2025-01
php sojourn.php session-guests SESSION
php sojourn.php copy SESSION FILE
*/

declare(strict_types=1);

const WRITTEN = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES;

// == Sending requests, and waiting as long as the answer says

/** An error of the interface. Decide by its code, show its message. */
class Refused extends Exception
{
    public function __construct(public readonly array $error)
    {
        $problems = implode(' ', array_column($error['details'] ?? [], 'message')) ?: $error['message'];
        parent::__construct("{$error['code']}: $problems ({$error['docs']}, request {$error['requestId']})");
    }
}

/** The answer and its ETag; null instead of an answer that has not changed since that ETag. */
function ask(string $path, array $query = [], ?string $etag = null): array
{
    $url = (getenv('SOJOURN_URL') ?: 'http://127.0.0.1:8080') . "/v1$path?" . http_build_query($query);
    $headers = ['Authorization: Bearer ' . getenv('SOJOURN_KEY'), ...($etag ? ["If-None-Match: $etag"] : [])];
    for ($attempt = 0; $attempt < 10; $attempt++) {
        $options = ['header' => $headers, 'ignore_errors' => true];
        $body = file_get_contents($url, context: stream_context_create(['http' => $options]));
        if ($body === false) {
            throw new RuntimeException('The service cannot be reached.');
        }
        [$status, $answered] = headersOf($http_response_header);
        if ($status === 200) {
            return [json_decode($body, true, flags: JSON_THROW_ON_ERROR), $answered['etag'] ?? null];
        }
        if ($status === 304) {
            return [null, $etag];
        }
        if ($status !== 429 && $status !== 503) {
            throw new Refused(json_decode($body, true, flags: JSON_THROW_ON_ERROR)['error']);
        }
        sleep((int) $answered['retry-after']);
    }
    throw new RuntimeException('The service is busy; try again later.');
}

function headersOf(array $lines): array
{
    $headers = [];
    foreach (array_slice($lines, 1) as $line) {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    return [(int) explode(' ', $lines[0])[1], $headers];
}

/** Every guest of all pages, once. If somebody came or left between two pages, it begins again. */
function allGuests(array $query): array
{
    do {
        $guests = [];
        $totals = [];
        for ($page = 1; ; $page++) {
            [$answer] = ask('/guests', [...$query, 'start' => $page]);
            $totals[] = $answer['total'];
            foreach ($answer['data'] as $guest) {
                $guests[$guest['id']] = $guest;
            }
            if ($answer['data'] === [] || count($guests) >= $answer['total']) {
                break;
            }
        }
    } while (array_unique($totals) !== [count($guests)]);
    return $guests;
}

/** The center's day, which need not be this machine's. */
function today(): string
{
    [$me] = ask('/me');
    return (new DateTimeImmutable('now', new DateTimeZone($me['center']['timezone'])))->format('Y-m-d');
}

// == Today's guests for a lab

const COMING = ['registered', 'registeredOnline', 'confirmed', 'arrived', 'paid'];

function todaysGuests(?string $day = null): void
{
    $day ??= today();
    $fields = 'id,name,dob,doctorName';
    foreach (allGuests(['startDate' => $day, 'endDate' => $day, 'project' => $fields]) as $guest) {
        // Raw values: the date at the top is text in some language.
        if (in_array($guest['ids']['status'], COMING, true)) {
            echo implode("\t", [$guest['id'], $guest['name'], $guest['ids']['dob'], $guest['doctorName']]), "\n";
        }
    }
}

// == The week's kitchen numbers

function kitchenWeek(string $file, ?string $day = null): void
{
    $first = new DateTimeImmutable($day ?? today());
    $days = array_map(fn ($after) => $first->modify("+$after days")->format('Y-m-d'), range(0, 6));
    $saved = is_file($file) ? json_decode(file_get_contents($file), true) : [];
    if (($saved['first'] ?? null) !== $days[0]) {
        $saved = [];
    }
    // A kitchen asks often, and skips change rarely: an answer that is still right is not sent again.
    $query = ['startDate' => $days[0], 'endDate' => $days[6]];
    [$report, $etag] = ask('/guests/meal-skipping-report', $query, $saved['etag'] ?? null);
    if ($report !== null) {
        $saved = ['first' => $days[0], 'etag' => $etag, 'byDate' => $report['byDate']];
        replace($file, $saved);
    }
    echo "day\tbreakfast\tlunch\tdinner\n";
    foreach ($days as $each) {
        $count = fn ($meal) => $saved['byDate'][$each][$meal]['count'] ?? 0;
        echo implode("\t", [$each, $count('breakfast'), $count('lunch'), $count('dinner')]), "\n";
    }
}

// == The month's orders to a CSV

function ordersMonth(string $month): void
{
    $last = (new DateTimeImmutable("$month-01"))->format('Y-m-t');
    $query = ['startDate' => "$month-01", 'endDate' => $last, 'includeGuestNames' => 'true'];
    [$orders] = ask('/orders', $query);
    echo '"uuid","orderNumber","orderDate","currency","totalAmount","status","paymentStatus","guestNames"', "\n";
    foreach ($orders as $order) {
        $raw = $order['ids'];
        $cells = [$order['uuid'], $order['orderNumber'], $raw['orderDate'], $raw['currency'], $raw['totalAmount']];
        array_push($cells, $raw['status'], $raw['paymentStatus'], $order['guestNames']);
        echo implode(',', array_map('cell', $cells)), "\n";
    }
}

function cell(mixed $value): string
{
    return match (true) {
        $value === null => '',
        is_string($value) => '"' . str_replace('"', '""', $value) . '"',
        default => json_encode($value),
    };
}

// == Everybody of a session, with custom fields

function sessionGuests(string $session): void
{
    [$answer] = ask('/fields');
    $fields = array_filter($answer['data'], fn ($field) => $field['custom'] && $field['readable']);
    $project = implode(',', ['id', 'name', ...array_column($fields, 'name')]);
    foreach (allGuests(['sessionId' => $session, 'project' => $project]) as $guest) {
        $line = ['id' => $guest['id'], 'name' => $guest['name']];
        foreach ($fields as $field) {
            $key = substr($field['name'], strlen('meta.'));
            // A field with a raw value has it in ids, under the same path.
            $line[$key] = ($field['raw'] ? $guest['ids'] : $guest)['meta'][$key];
        }
        echo json_encode($line, WRITTEN), "\n";
    }
}

// == A copy that stays up to date

function copyOf(string $session, string $file): void
{
    $saved = is_file($file) ? json_decode(file_get_contents($file), true) : null;
    try {
        $saved = $saved === null ? null : follow($session, $saved);
    } catch (Refused $refusal) {
        if ($refusal->error['code'] !== 'GONE') {
            throw $refusal;
        }
        $saved = null;
    }
    $saved ??= readEverything($session);
    // The cursor and the guests in one file, replaced at once: they always belong together.
    replace($file, ['cursor' => $saved['cursor'], 'guests' => (object) $saved['guests']]);
    echo count($saved['guests']), " guests\n";
}

function listOf(string $session, array $more = []): array
{
    return allGuests(['sessionId' => $session, 'project' => 'id,name,startDate,endDate,status', ...$more]);
}

function readEverything(string $session): array
{
    [, $cursor] = changes($session);
    while (true) {
        $guests = listOf($session);
        [$moved, $after] = changes($session, $cursor);
        if ($moved === []) {
            return ['cursor' => $cursor, 'guests' => $guests];
        }
        // Something changed while the pages were read, so somebody may be missing.
        $cursor = $after;
    }
}

function follow(string $session, array $saved): ?array
{
    [$moved, $cursor] = changes($session, $saved['cursor']);
    $operations = array_column($moved, 'operation');
    if (in_array('readAgain', $operations, true)) {
        return null;
    }
    $guests = $saved['guests'];
    foreach ($moved as $one) {
        if ($one['operation'] === 'deleted') {
            unset($guests[$one['id']]);
        }
    }
    if (array_diff($operations, ['deleted']) !== []) {
        foreach (listOf($session, ['changedAfter' => $saved['cursor']]) as $id => $guest) {
            $guests[$id] = $guest;
        }
    }
    return ['cursor' => $cursor, 'guests' => $guests];
}

/** Everything that has changed among the session's guests since a cursor, and the cursor after it. */
function changes(string $session, ?string $after = null): array
{
    $moved = [];
    do {
        $query = ['kinds' => 'guests', 'sessionId' => $session, ...($after ? ['after' => $after] : [])];
        [$answer] = ask('/changes', $query);
        array_push($moved, ...$answer['data']);
        $after = $answer['cursor'];
    } while ($answer['more']);
    return [$moved, $after];
}

function replace(string $file, array $value): void
{
    file_put_contents("$file.new", json_encode($value, WRITTEN));
    rename("$file.new", $file);
}

// == Choosing a task

const TASKS = [
    'todays-guests' => 'todaysGuests',
    'kitchen-week' => 'kitchenWeek',
    'orders-month' => 'ordersMonth',
    'session-guests' => 'sessionGuests',
    'copy' => 'copyOf',
];

try {
    $task = TASKS[$argv[1] ?? ''] ?? throw new RuntimeException('Give one of ' . implode(', ', array_keys(TASKS)) . '.');
    $task(...array_slice($argv, 2));
} catch (Refused | RuntimeException | ArgumentCountError $problem) {
    fwrite(STDERR, $problem->getMessage() . "\n");
    exit(1);
}
