import type { ComparedPartner, OrderAttribution } from '../../../../sdk/src/api-schema.ts';
import { rich } from '../../messages/rich-text.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { DrawerSection } from '../../ui/drawer.tsx';
import { formatUsd } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { formatDay } from '../../ui/time.tsx';
import { t } from './messages.ts';

type AttributionProps = { readonly store: string; readonly attribution: OrderAttribution };

const ruleTexts: Readonly<Record<OrderAttribution['rule'], string>> = {
  click: t.attribution.rule_click,
  code: t.attribution.rule_code,
  code_before_click: t.attribution.rule_code_before_click,
  same_creator: t.attribution.rule_same_creator,
  returning_customer: t.attribution.rule_returning_customer,
  first_partner: t.attribution.rule_first_partner,
};

/** What an order had besides a click: which rule decided, and who would have earned otherwise. */
export function Attribution({ store, attribution }: AttributionProps) {
  const { rule, compared, rejected_codes: rejected } = attribution;
  return (
    <DrawerSection title={t.attribution.title}>
      <DescriptionList
        items={[
          [t.attribution.attributed_by, attributedByText(attribution)],
          [t.attribution.rule, ruleTexts[rule]],
          ...(compared === null ? [] : [[t.attribution.compared, <Compared key="c" store={store} compared={compared} />] as const]),
          ...(rejected.length === 0
            ? []
            : [
                [
                  t.attribution.rejected_codes,
                  rejected.map(({ discount_code: code, because }) => <div key={code}>{t.attribution[because]({ code })}</div>),
                ] as const,
              ]),
        ]}
      />
    </DrawerSection>
  );
}

function attributedByText({
  attributed_by: by,
  discount_code: code,
  customer_since: since,
  customer_order: order,
}: OrderAttribution): string {
  if (by === 'code') return t.attribution.code({ code: code ?? '' });
  if (by === 'click' || since === null) return t.attribution.click;
  return t.attribution.customer({ since: formatDay(since), order: order ?? 1 });
}

function Compared({ store, compared }: { readonly store: string; readonly compared: ComparedPartner }) {
  const { by, creator_id: creator, creator_name: name, discount_code: code, clicked_at: clicked, customer_since: since } = compared;
  const amount = formatUsd(compared.commission_cents);
  const texts = {
    click: () => t.attribution.compared_click({ clicked: clicked === null ? '' : formatDay(clicked), amount }),
    code: () => t.attribution.compared_code({ code: code ?? '', amount }),
    customer: () => t.attribution.compared_customer({ since: since === null ? '' : formatDay(since), amount }),
  };
  return rich(texts[by](), {
    creator: (
      <TextLink to="/stores/$store/creators/$creator" params={{ store, creator }}>
        {name}
      </TextLink>
    ),
  });
}
