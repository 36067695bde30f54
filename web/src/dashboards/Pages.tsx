/** Everything about dashboards in one piece, fetched when somebody goes there. */
import { DashboardPage } from "./DashboardPage";
import { Gallery } from "./Gallery";

export function Dashboards({ id }: { id: string | null }) {
  return id ? <DashboardPage key={id} id={id} /> : <Gallery />;
}
