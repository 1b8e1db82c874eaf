import { Link } from '@tanstack/react-router';

interface LinkTabsProps<Tab extends string> {
  label: string;
  page: '/gateway' | '/settings';
  /** The first is what the page shows when its address names none. */
  tabs: readonly { tab: Tab; label: string }[];
  chosen: Tab;
}

/** The parts of a page. Each has an address of its own, so that it can be linked to. */
export function LinkTabs<Tab extends string>({ label, page, tabs, chosen }: LinkTabsProps<Tab>) {
  return (
    <nav aria-label={label} className="scrollbar-none -mx-1 flex overflow-x-auto">
      {tabs.map(({ tab, label: name }, index) => (
        <Link
          key={tab}
          to={page}
          search={index === 0 ? {} : { tab }}
          // The router marks a link whose search is a part of the address's; of the tabs exactly one is chosen.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={tab === chosen ? 'page' : undefined}
          ref={(link: HTMLAnchorElement | null) => {
            if (tab === chosen) link?.scrollIntoView({ block: 'nearest', inline: 'center' });
          }}
          className="shrink-0 border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-soft -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
