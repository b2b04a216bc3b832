import { useRouteContext } from '@tanstack/react-router';
import { NavigationLink } from './navigation.tsx';

/** The navigation of the operator console, which most people never load. */
export function OperatorNavigation() {
  const { session } = useRouteContext({ from: '/signed-in' });
  return (
    <>
      <NavigationLink icon="home" label="Overview" to="/operator" exact />
      <NavigationLink icon="store" label="Stores" to="/operator/stores" />
      <NavigationLink icon="person" label="Creators" to="/operator/creators" />
      <NavigationLink icon="check" label="Review" to="/operator/review" />
      <NavigationLink icon="alert" label="Disputes" to="/operator/disputes" />
      <NavigationLink icon="shield" label="Risk" to="/operator/risk" />
      <NavigationLink icon="invoice" label="Billing runs" to="/operator/billing-runs" />
      <NavigationLink icon="coins" label="Payouts" to="/operator/payouts" />
      <NavigationLink icon="book" label="Ledger" to="/operator/ledger" />
      <NavigationLink icon="pulse" label="Tracking" to="/operator/tracking" />
      <NavigationLink icon="repeat" label="Jobs" to="/operator/jobs" />
      <NavigationLink icon="settings" label="Settings" to="/operator/settings" />
      <NavigationLink icon="shield" label="Operators" to="/operator/operators" />
      <NavigationLink icon="key" label="API keys" to="/operator/api-keys" />
      <NavigationLink icon="mail" label="Mails" to="/operator/mails" />
      <NavigationLink icon="log" label="Audit log" to="/operator/audit-log" />
      <NavigationLink icon="plug" label="Health" to="/operator/health" />
      {session.mode === 'sandbox' && <NavigationLink icon="clock" label="Sandbox clock" to="/operator/clock" />}
    </>
  );
}
