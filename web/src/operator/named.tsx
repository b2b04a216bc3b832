import { useQuery } from '@tanstack/react-query';
import { creatorReading } from '../creator/creator-api.ts';
import { storeReading } from '../merchant/stores-api.ts';
import { TextLink } from '../parts/links.tsx';

/** Names change seldom; one that was read stays good while one looks around. */
const staleTime = 300_000;

/** A store by its name, which leads to its page of the console. */
export function StoreLink({ id }: { readonly id: string }) {
  const { data } = useQuery({ ...storeReading(id), staleTime });
  return (
    <TextLink to="/operator/stores/$shop" params={{ shop: id }} fw={600}>
      {data?.name ?? id}
    </TextLink>
  );
}

export function CreatorLink({ id }: { readonly id: string }) {
  const name = useCreatorName(id);
  return (
    <TextLink to="/operator/creators/$person" params={{ person: id }} fw={600}>
      {name}
    </TextLink>
  );
}

/** Their ID until the name was read. */
export const useCreatorName = (id: string): string => useQuery({ ...creatorReading(id), staleTime }).data?.name ?? id;
