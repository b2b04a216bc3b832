-- The last display name that the merchant removed from the leaderboard of the program. Its creator can choose another one.
alter table members add column leaderboard_removed_name text;
alter table members add column leaderboard_removed_at timestamptz;
