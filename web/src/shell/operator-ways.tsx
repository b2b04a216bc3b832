import { useRouteContext } from '@tanstack/react-router';
import { Way } from './ways.tsx';

/** The ways around the console, which most people never load. */
export function OperatorWays() {
  const { session } = useRouteContext({ from: '/inside' });
  return (
    <>
      <Way icon="home" label="Overview" to="/operator" exact />
      <Way icon="store" label="Stores" to="/operator/stores" />
      <Way icon="person" label="Creators" to="/operator/creators" />
      <Way icon="check" label="Review" to="/operator/review" />
      <Way icon="alert" label="Disputes" to="/operator/disputes" />
      <Way icon="shield" label="Risk" to="/operator/risk" />
      <Way icon="bill" label="Billing runs" to="/operator/billing-runs" />
      <Way icon="coins" label="Payouts" to="/operator/payouts" />
      <Way icon="book" label="Ledger" to="/operator/ledger" />
      <Way icon="pulse" label="Tracking" to="/operator/tracking" />
      <Way icon="repeat" label="Jobs" to="/operator/jobs" />
      <Way icon="settings" label="Settings" to="/operator/settings" />
      <Way icon="shield" label="Operators" to="/operator/operators" />
      <Way icon="key" label="API keys" to="/operator/api-keys" />
      <Way icon="mail" label="Mails" to="/operator/mails" />
      <Way icon="log" label="Audit log" to="/operator/audit-log" />
      <Way icon="plug" label="Health" to="/operator/health" />
      {session.mode === 'sandbox' && <Way icon="clock" label="Sandbox clock" to="/operator/clock" />}
    </>
  );
}
