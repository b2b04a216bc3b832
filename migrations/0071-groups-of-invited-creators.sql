-- The group that a creator joins with an invitation. Null: none, as before. A process of the previous version writes no group.
alter table program_invitations add column group_id uuid;
alter table creator_import_rows add column group_id uuid;
