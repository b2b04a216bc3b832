import { useQuery } from '@tanstack/react-query';
import { creatorQuery } from '../portal/creator-api.ts';
import { storeQuery } from '../stores/stores-api.ts';
import { TextLink } from '../../ui/links.tsx';

/** Names change rarely, so they stay cached while an operator navigates. */
const staleTime = 300_000;

/** A store's name, linked to its operator page. */
export function StoreLink({ id }: { readonly id: string }) {
  const name = useStoreName(id);
  return (
    <TextLink to="/operator/stores/$storeId" params={{ storeId: id }} className="strong">
      {name}
    </TextLink>
  );
}

export function CreatorLink({ id }: { readonly id: string }) {
  const name = useCreatorName(id);
  return (
    <TextLink to="/operator/creators/$creatorId" params={{ creatorId: id }} className="strong">
      {name}
    </TextLink>
  );
}

/** The ID until the name is loaded. */
export const useStoreName = (id: string): string => useQuery({ ...storeQuery(id), staleTime }).data?.name ?? id;
export const useCreatorName = (id: string): string => useQuery({ ...creatorQuery(id), staleTime }).data?.name ?? id;
