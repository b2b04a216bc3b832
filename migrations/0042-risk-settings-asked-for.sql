-- Looser risk settings that an operator asked for: they are in force once another operator asks for the same.
alter table risk_settings
  add column asked jsonb,
  add column asked_at timestamptz,
  add column asked_by_user_id uuid,
  add check ((asked is null) = (asked_at is null));
