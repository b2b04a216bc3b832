import { defineWidgetConfig } from '@medusajs/admin-sdk';
import type { AdminPromotion, DetailWidgetProps } from '@medusajs/framework/types';
import { Button, Container, Heading, Select, Text, toast } from '@medusajs/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { giveToCreator, readPromotion, type PromotionState } from '../lib/api';

/** The creator of a promotion's code, or a form that gives the code to one. */
function PromotionCreator({ data: promotion }: DetailWidgetProps<AdminPromotion>) {
  const { t } = useTranslation('tributary');
  const { data, error } = useQuery({ queryKey: ['tributary', 'promotion', promotion.id], queryFn: () => readPromotion(promotion.id) });
  return (
    <Container className="divide-y p-0">
      <div className="px-6 py-4">
        <Heading level="h2">{t('promotion.title')}</Heading>
      </div>
      {error !== null && <Text className="text-ui-fg-error px-6 py-4">{error.message}</Text>}
      {data !== undefined && data.code !== null && (
        <Text size="small" className="px-6 py-4">
          {t('promotion.owner', { creator: data.code.creator_name })} {t('promotion.orders', { count: data.code.orders })}
        </Text>
      )}
      {data !== undefined && data.code === null && <Give promotionId={promotion.id} creators={data.creators} />}
    </Container>
  );
}

type GiveProps = { readonly promotionId: string; readonly creators: PromotionState['creators'] };

function Give({ promotionId, creators }: GiveProps) {
  const { t } = useTranslation('tributary');
  const queries = useQueryClient();
  const [chosen, choose] = useState('');
  const owner = creators.find(({ creator_id: creator, program_id: program }) => `${program} ${creator}` === chosen);
  const give = useMutation({
    mutationFn: () => giveToCreator(promotionId, { creator_id: owner?.creator_id ?? '', program_id: owner?.program_id ?? '' }),
    onSuccess: () => {
      toast.success(t('promotion.given'));
      void queries.invalidateQueries({ queryKey: ['tributary'] });
    },
    onError: ({ message }) => toast.error(message),
  });
  if (creators.length === 0)
    return (
      <Text size="small" className="text-ui-fg-subtle px-6 py-4">
        {t('promotion.empty')}
      </Text>
    );
  return (
    <div className="flex flex-col gap-4 px-6 py-4">
      <Select value={chosen} onValueChange={choose}>
        <Select.Trigger>
          <Select.Value placeholder={t('promotion.choose')} />
        </Select.Trigger>
        <Select.Content>
          {creators.map(({ creator_id: creator, program_id: program, creator_name: creatorName, program_name: programName }) => (
            <Select.Item key={`${program} ${creator}`} value={`${program} ${creator}`}>
              {`${creatorName} – ${programName}`}
            </Select.Item>
          ))}
        </Select.Content>
      </Select>
      <Button size="small" variant="secondary" disabled={owner === undefined} isLoading={give.isPending} onClick={() => give.mutate()}>
        {t('promotion.give')}
      </Button>
    </div>
  );
}

export const config = defineWidgetConfig({ zone: 'promotion.details.side.after' });

export default PromotionCreator;
