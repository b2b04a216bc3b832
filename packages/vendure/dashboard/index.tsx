import { defineDashboardExtension } from '@vendure/dashboard';
import { HealthPage } from './health-page';
import { OrderBlock } from './order-block';
import { texts } from './texts';

/** The pages of the plugin in Vendure's dashboard. They show what the Admin API of the plugin returns. */
defineDashboardExtension({
  routes: [
    {
      path: '/tributary',
      loader: () => ({ breadcrumb: texts.title }),
      navMenuItem: { sectionId: 'settings', id: 'tributary', title: texts.title, requiresPermission: ['ReadSettings'] },
      component: HealthPage,
    },
  ],
  pageBlocks: [
    {
      id: 'tributary-order',
      title: texts.title,
      location: { pageId: 'order-detail', column: 'side', position: { blockId: 'customer', order: 'before' } },
      requiresPermission: ['ReadOrder'],
      component: ({ context }) => (context.entity?.id === undefined ? null : <OrderBlock orderId={String(context.entity.id)} />),
    },
  ],
});
