-- Answers to actions (POST /v1/actions/<name>), for whoever sends the same one again under the same Idempotency-Key. An
-- application keeps its newest ones, for some days (src/actions/action-answers-sql.ts).
create table action_answers (
  center_id text collate "C" not null references centers on delete cascade deferrable initially deferred,
  app_id text collate "C" not null,
  -- SHA-256 of the key: its content belongs to the sender
  idempotency_key bytea not null,
  -- SHA-256 of the action's name and its body
  request bytea not null,
  -- null until the action has been performed, in the same transaction
  answer text,
  at timestamptz not null default clock_timestamp(),
  primary key (center_id, app_id, idempotency_key)
);

create index action_answers_by_time on action_answers (center_id, app_id, at);
