import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { Overlay } from '../../ui/overlay.tsx';
import styles from './command-palette.module.css';
import { usePaletteGroups, type PaletteGroup, type PaletteOption } from './palette-options.ts';
import { t } from '../messages.ts';

type PaletteProps = { readonly close: () => void };

/** Goes to pages, finds orders and people, and acts on the opened page. */
export function CommandPalette({ close }: PaletteProps) {
  // The next page focuses its heading, so that only an action returns the focus.
  const isLeaving = useRef(false);
  const choose = ({ choose: choice }: PaletteOption) => {
    isLeaving.current = choice.is === 'go';
    // A page leaves the focus in a field.
    if (choice.is === 'go' && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    close();
    if (choice.is === 'go') choice.go();
    else choice.act();
  };
  return (
    <Overlay kind="palette" opened onClose={close} returnsFocus={() => !isLeaving.current} aria-label={t.palette.search_and_commands}>
      <PaletteContent close={close} choose={choose} />
    </Overlay>
  );
}

type ContentProps = { readonly close: () => void; readonly choose: (option: PaletteOption) => void };

function PaletteContent({ close, choose }: ContentProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [current, setCurrent] = useState(0);
  const { groups, isSearching } = usePaletteGroups(typed);
  const options = groups.flatMap(({ options: some }) => some);
  const index = Math.min(current, options.length - 1);
  const active = options[index];
  const goTo = (wanted: number) => {
    const next = (wanted + options.length) % Math.max(options.length, 1);
    setCurrent(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => goTo(index + 1),
    ArrowUp: () => goTo(index - 1),
    Enter: () => active && choose(active),
    Escape: close,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (act === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act();
  };
  return (
    <>
      <div className={styles.head}>
        <Icon name="search" />
        <input
          className={styles.input}
          role="combobox"
          aria-label={t.palette.search_and_commands}
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={active && `${id}-${index}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={t.palette.placeholder}
          maxLength={200}
          value={typed}
          data-autofocus
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            setCurrent(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <Options id={id} groups={groups} active={active} choose={choose} />
      <p role="status" className={options.length === 0 ? styles.empty : 'visually-hidden'}>
        {isSearching ? t.palette.searching : options.length === 0 ? t.palette.nothing_found : t.palette.results({ count: options.length })}
      </p>
    </>
  );
}

type OptionsProps = {
  readonly id: string;
  readonly groups: readonly PaletteGroup[];
  readonly active: PaletteOption | undefined;
  readonly choose: (option: PaletteOption) => void;
};

/** The field keeps the focus, and `aria-activedescendant` names the current option. */
function Options({ id, groups, active, choose }: OptionsProps) {
  const all = groups.flatMap(({ options }) => options);
  return (
    <div id={`${id}-list`} role="listbox" aria-label={t.palette.results_label} className={styles.list}>
      {groups.map(({ title, options }, place) => (
        <div key={`${title} ${place}`} role="group" aria-labelledby={`${id}-group-${place}`}>
          <div id={`${id}-group-${place}`} className={styles.title}>
            {title}
          </div>
          {options.map((option) => (
            // The field handles the keys.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={option.key}
              id={`${id}-${all.indexOf(option)}`}
              role="option"
              tabIndex={-1}
              aria-selected={option === active}
              className={styles.option}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
            >
              <Icon name={option.icon} />
              <span className={styles.label}>{option.label}</span>
              {option.detail !== undefined && <span className={styles.detail}>{option.detail}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
