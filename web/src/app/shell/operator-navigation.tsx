import { useRouteContext } from '@tanstack/react-router';
import { NavigationLink } from './navigation.tsx';
import { t } from '../messages.ts';

/** The navigation of the operator console, which most people never load. */
export function OperatorNavigation() {
  const { session } = useRouteContext({ from: '/signed-in' });
  return (
    <>
      <NavigationLink icon="home" label={t.operator_navigation.overview} to="/operator" exact />
      <NavigationLink icon="store" label={t.operator_navigation.stores} to="/operator/stores" />
      <NavigationLink icon="person" label={t.operator_navigation.creators} to="/operator/creators" />
      <NavigationLink icon="check" label={t.operator_navigation.review} to="/operator/review" />
      <NavigationLink icon="alert" label={t.operator_navigation.disputes} to="/operator/disputes" />
      <NavigationLink icon="shield" label={t.operator_navigation.risk} to="/operator/risk" />
      <NavigationLink icon="invoice" label={t.operator_navigation.billing_runs} to="/operator/billing-runs" />
      <NavigationLink icon="coins" label={t.operator_navigation.payouts} to="/operator/payouts" />
      <NavigationLink icon="book" label={t.operator_navigation.ledger} to="/operator/ledger" />
      <NavigationLink icon="pulse" label={t.operator_navigation.tracking} to="/operator/tracking" />
      <NavigationLink icon="repeat" label={t.operator_navigation.jobs} to="/operator/jobs" />
      <NavigationLink icon="settings" label={t.operator_navigation.settings} to="/operator/settings" />
      <NavigationLink icon="shield" label={t.operator_navigation.operators} to="/operator/operators" />
      <NavigationLink icon="key" label={t.operator_navigation.api_keys} to="/operator/api-keys" />
      <NavigationLink icon="mail" label={t.operator_navigation.emails} to="/operator/mails" />
      <NavigationLink icon="log" label={t.operator_navigation.audit_log} to="/operator/audit-log" />
      <NavigationLink icon="plug" label={t.operator_navigation.health} to="/operator/health" />
      {session.mode === 'sandbox' && <NavigationLink icon="clock" label={t.operator_navigation.sandbox_clock} to="/operator/clock" />}
    </>
  );
}
