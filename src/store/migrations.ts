/**
 * Forward only; the index of the last one is `user_version`. A released migration is never edited.
 * `entries` has no rowid: it is read and written by (run, key) alone. `launches` holds a row from the intent to launch
 * until the process was seen to end, whatever became of its entry meanwhile: one for each key, one for each slot. With
 * attempt 0 it is a slot that was promised to a session when it was created, before its run was ever advanced.
 * A question with a `session` was asked by that session while it works: it has no entry, and no run is parked for it.
 */
export const migrations: readonly string[] = [
  `
  create table runs(
    id text primary key,
    workflow text not null,
    input text not null,
    state text not null,
    reason text,
    outcome text,
    value text,
    failure text,
    epoch integer not null default 0,
    change integer not null default 0,
    parked integer,
    cancelled integer not null default 0,
    root text not null,
    parent_run text,
    parent_key text,
    depth integer not null,
    trace text not null,
    concurrency integer not null,
    holder text,
    started_at integer not null,
    ended_at integer
  ) without rowid;
  create index runs_by_start on runs(started_at);
  create index runs_by_root on runs(root);
  create index runs_by_parent on runs(parent_run) where parent_run is not null;
  create index runs_going_on on runs(started_at) where state in ('running', 'halting');

  create table holders(
    id text primary key,
    host text not null,
    pid integer not null,
    start_time text not null,
    boot_id text not null,
    until integer not null
  ) without rowid;

  create table entries(
    run text not null,
    key text not null,
    kind text not null,
    attempt integer not null,
    state text not null,
    outcome text,
    body text,
    spec text,
    session text,
    losses integer not null default 0,
    change integer not null,
    priority real not null,
    due integer,
    opened_at integer not null,
    ended_at integer,
    primary key(run, key)
  ) without rowid;
  create index entries_by_change on entries(run, change) where change > 0;

  create table launches(
    run text not null,
    key text not null,
    attempt integer not null,
    kind text not null,
    root text not null,
    tokens integer not null,
    cost real not null,
    primary key(run, key)
  ) without rowid;

  create table budgets(
    root text primary key,
    limits text not null,
    launches integer not null,
    tokens integer not null,
    cost real not null,
    unpriced integer not null,
    reserved_tokens integer not null,
    reserved_cost real not null,
    started_at integer not null
  ) without rowid;

  create table sessions(
    id text primary key,
    run text not null,
    key text not null,
    attempt integer not null,
    agent text not null,
    driver text not null,
    tier text not null,
    status text not null,
    depth integer not null,
    turn integer not null,
    continues text,
    host text not null,
    parent text,
    requester text not null,
    tags text not null,
    created_at integer not null,
    begun_at integer,
    ended_at integer,
    exit_code integer,
    outcome text,
    input_tokens integer,
    output_tokens integer,
    cost_usd real,
    archived_at integer,
    pruned_at integer
  ) without rowid;
  create index sessions_by_run on sessions(run, key, attempt);
  create index sessions_by_creation on sessions(created_at, id);
  create index sessions_by_status on sessions(status, created_at, id);

  create table questions(
    id integer primary key,
    run text not null,
    key text not null,
    question text,
    asked_at integer,
    answer text,
    answered_by text,
    answered_at integer,
    closed integer not null default 0,
    unique(run, key)
  );

  create table events(
    seq integer primary key,
    at integer not null,
    run text not null,
    emitted text,
    type text not null,
    body text not null
  );
  create index events_by_run on events(run, seq);
  create unique index events_emitted on events(run, emitted) where emitted is not null;

  create table cursors(name text primary key, seq integer not null) without rowid;

  create table blobs(hash text primary key, content text not null) without rowid;
  `,
  `
  alter table sessions add column model text;
  alter table sessions add column cached_input_tokens integer;
  alter table sessions add column priced_as_of text;
  `,
  `
  alter table questions add column session text;
  alter table questions add column request integer;
  create unique index questions_of_sessions on questions(session, request) where session is not null;
  `,
  `
  create table plans(
    name text primary key,
    phase text not null,
    body text not null,
    updated_at integer not null
  ) without rowid;
  create table plan_tasks(
    plan text not null,
    id text not null,
    status text not null,
    definition text not null,
    state text not null,
    primary key(plan, id)
  ) without rowid;
  create index plan_tasks_by_status on plan_tasks(plan, status);
  `,
  `
  alter table plan_tasks add column name text not null default '';
  alter table plan_tasks add column needs text not null default '';
  alter table plan_tasks add column estimate real not null default 1;
  `,
  // With it, how a plan stands is read without its definitions, of which there may be megabytes.
  `
  create index plan_tasks_nodes on plan_tasks(plan, id, name, status, needs, estimate);
  `,
  `
  alter table sessions add column lost integer not null default 0;
  `,
  // One row: which database this is, the number of its last transaction, and the copy that those after it belong to. Only a
  // database that was empty then can be made again from its changes alone, which is what 0 means.
  `
  create table lineage(id text primary key, changes integer not null, backup integer not null) without rowid;
  insert into lineage(id, changes, backup) 
    select lower(hex(randomblob(8))), 0,
      exists(select 1 from runs) or exists(select 1 from plans) or exists(select 1 from events);
  `,
  // The order in which runs and sessions were created: a clock may be set back.
  `
  alter table runs add column ordinal integer not null default 0;
  alter table sessions add column ordinal integer not null default 0;
  update runs set ordinal = place
    from (select id as known, row_number() over (order by started_at, id) as place from runs) where known = runs.id;
  update sessions set ordinal = place
    from (select id as known, row_number() over (order by created_at, id) as place from sessions) where known = sessions.id;
  create index runs_by_ordinal on runs(ordinal, started_at, id);
  drop index sessions_by_creation;
  create index sessions_by_ordinal on sessions(ordinal, created_at, id);
  `,
  // Who halted or stopped a run: what a person halted, no agent continues.
  `
  alter table runs add column stopped_by text;
  `,
  // The order in which the parts of a run were opened: a clock may be set back. Older parts, with 0, come first.
  `
  alter table entries add column ordinal integer not null default 0;
  create index entries_by_ordinal on entries(run, ordinal);
  `,
  // Which state of a plan and its tasks this is: a change names the one that it was decided from.
  `
  alter table plans add column version integer not null default 0;
  `,
  // Parts that were opened and never launched before a halt, and were asked for by another key since: no process would launch
  // them. `rtrim` leaves what stands before the digest of a key. A part that is needed after all is opened again.
  `
  update entries set state = 'dropped', outcome = 'INTERRUPTED', ended_at = opened_at
    where state = 'open' and kind in ('task', 'session') and exists(
      select 1 from entries later where later.run = entries.run and later.ordinal > entries.ordinal
        and rtrim(later.key, replace(later.key, '@', '')) = rtrim(entries.key, replace(entries.key, '@', '')));
  `,
  // How often a run was stopped, also when it had ended: a command that began before its last stop does not start it again.
  `
  alter table runs add column stops integer not null default 0;
  `,
  // How long something of the run was under way, and since when something is: a ceiling of time counts neither waiting for
  // people nor the time after an end.
  `
  alter table budgets add column work_ms integer not null default 0;
  alter table budgets add column work_since integer;
  `,
];
