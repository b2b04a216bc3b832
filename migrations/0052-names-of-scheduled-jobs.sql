-- The names of scheduled jobs are shown to operators. A job keeps its last run under its new name.
update job_runs
set job = names.renamed
from (
  values
    ('cut invoices', 'issue monthly invoices'),
    ('bill early', 'issue early invoices'),
    ('charge what is due', 'charge due invoices'),
    ('go on with payouts', 'resume open payouts'),
    ('make click partitions ahead', 'create click partitions'),
    ('make the next signing key', 'create the next signing key'),
    ('fold the daily figures', 'update daily totals'),
    ('drop old clicks', 'delete old clicks'),
    ('approve what approves itself', 'approve commissions automatically'),
    ('tell creators of their sales', 'email sales summaries to creators'),
    ('tidy people', 'delete expired account data'),
    ('forget bodies of the tracking log', 'delete old postback bodies'),
    ('forget old mails', 'delete old emails'),
    ('forget old webhooks', 'delete old webhook deliveries'),
    ('drop old signing keys', 'delete old signing keys')
) as names (former, renamed)
where job_runs.job = names.former;
