import { Link } from '@tanstack/react-router';

interface SideLinksProps<Tab extends string> {
  label: string;
  page: '/settings';
  /** What belongs together stands together. The first of all is what the page shows when its address names none. */
  groups: readonly (readonly { tab: Tab; label: string }[])[];
  chosen: Tab;
}

/** The parts of a page that has many, beside it. Each has an address of its own, so that it can be linked to. */
export function SideLinks<Tab extends string>({ label, page, groups, chosen }: SideLinksProps<Tab>) {
  const first = groups[0]?.[0]?.tab;
  return (
    <nav aria-label={label} className="flex flex-col">
      {groups.map((links) => (
        <ul key={links[0]?.tab} className="border-line not-first:mt-2 not-first:border-t not-first:pt-2">
          {links.map(({ tab, label: name }) => (
            <li key={tab}>
              <Link
                to={page}
                search={tab === first ? {} : { tab }}
                // The router marks a link whose search is a part of the address's; of these exactly one is chosen.
                activeOptions={{ exact: true, includeSearch: true }}
                aria-current={tab === chosen ? 'page' : undefined}
                className="block rounded-md px-2.5 py-1.5 text-sm text-soft transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}
