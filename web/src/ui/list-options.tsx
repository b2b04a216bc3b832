import { Button, IconButton } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { TextInput } from './inputs.tsx';
import { useState } from 'react';
import { Icon } from './icons.tsx';
import styles from './list-options.module.css';
import { Popover } from './popover.tsx';
import { type SavedView, type useListSettings, viewNameLengthMax } from './list-settings.ts';
import { t } from './messages.ts';

type ListOptionsProps = ReturnType<typeof useListSettings> & {
  /** The columns that can be hidden. */
  readonly columns: readonly string[];
  /** The filter and the order that a view saves. */
  readonly search: SavedView['search'];
  readonly show: (view: SavedView) => void;
};

/** The columns, the density, and the saved views of a list. */
export function ListOptions(options: ListOptionsProps) {
  return (
    <Popover
      label={t.list_options.view_of_the_list}
      placement="bottom-end"
      renderButton={(props) => (
        <Button {...props} variant="default" size="xs" leftSection={<Icon name="settings" size={14} />}>
          {t.list_options.view}
        </Button>
      )}
    >
      <div className={styles.options}>
        <Columns {...options} />
        <SavedViews {...options} />
      </div>
    </Popover>
  );
}

function Columns({ columns, settings, change }: ListOptionsProps) {
  const toggle = (title: string, isShown: boolean) =>
    change({ hiddenColumns: isShown ? settings.hiddenColumns.filter((one) => one !== title) : [...settings.hiddenColumns, title] });
  return (
    <>
      <fieldset className={styles.group}>
        <legend>{t.list_options.rows}</legend>
        <Checkbox
          size="xs"
          label={t.list_options.compact}
          checked={settings.isCompact}
          onChange={({ currentTarget }) => change({ isCompact: currentTarget.checked })}
        />
        <Checkbox
          size="xs"
          label={t.list_options.all_columns_on_phones}
          checked={settings.hasFullCards}
          onChange={({ currentTarget }) => change({ hasFullCards: currentTarget.checked })}
        />
      </fieldset>
      <fieldset className={styles.group}>
        <legend>{t.list_options.columns}</legend>
        {columns.map((title) => (
          <Checkbox
            key={title}
            size="xs"
            label={title}
            checked={!settings.hiddenColumns.includes(title)}
            onChange={({ currentTarget }) => toggle(title, currentTarget.checked)}
          />
        ))}
      </fieldset>
    </>
  );
}

function SavedViews({ views, saveView, deleteView, show, search, settings }: ListOptionsProps) {
  const [name, setName] = useState('');
  const save = () => {
    if (name.trim() === '') return;
    saveView({ name: name.trim(), search, hiddenColumns: settings.hiddenColumns });
    setName('');
  };
  return (
    <fieldset className={styles.group}>
      <legend>{t.list_options.saved_views}</legend>
      {views.length === 0 && <p className={styles.hint}>{t.list_options.keeps_the_filters}</p>}
      {views.map((view) => (
        <div key={view.name} className={styles.view}>
          <Button variant="subtle" size="compact-xs" onClick={() => show(view)}>
            {view.name}
          </Button>
          <IconButton size="sm" aria-label={t.list_options.delete_view({ name: view.name })} onClick={() => deleteView(view.name)}>
            <Icon name="close" size={14} />
          </IconButton>
        </div>
      ))}
      <form
        className={styles.save}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextInput
          size="xs"
          aria-label={t.list_options.name_of_the_view}
          placeholder={t.list_options.name_of_the_view}
          maxLength={viewNameLengthMax}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default">
          {t.list_options.save_view}
        </Button>
      </form>
    </fieldset>
  );
}
