import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

type Plain = Omit<ComponentProps<'a'>, keyof ButtonProps>;

/** A link that looks like a button, for navigation only. */
export const ButtonLink = createLink((props: ButtonProps & Plain) => <Button component="a" {...props} />);

export const TextLink = createLink((props: AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>) => <Anchor {...props} />);
