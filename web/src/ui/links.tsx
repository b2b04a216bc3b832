import { createLink } from '@tanstack/react-router';
import { AnchorButton } from './button.tsx';
import type { ComponentProps } from 'react';

/** A link that looks like a button, for navigation only. */
export const ButtonLink = createLink(AnchorButton);

/** A link to something that is not a page of the dashboards. */
export const PlainLink = (props: ComponentProps<'a'>) => <a {...props}>{props.children}</a>;

export const TextLink = createLink(PlainLink);
