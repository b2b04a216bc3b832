import { Loader } from '@mantine/core';

export function PageLoading() {
  return (
    <div role="status" data-pending style={{ display: 'flex', gap: 12, alignItems: 'center', padding: '32px 24px' }}>
      <Loader size="sm" aria-hidden="true" />
      Loading…
    </div>
  );
}
