import { apiPath } from '../../api/operations.ts';

export const storeCreatorsPath = (store: string) => apiPath('/stores/{store}/creators', { store });
