import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { DeliveriesPage } from "@/components/notifications/deliveries-page.tsx";
import { deliveryInput, loadDeliveryFilters } from "@/components/notifications/delivery-filter.ts";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Deliveries" };

export default async function NotificationsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [filters, { project }] = await Promise.all([
    loadDeliveryFilters(searchParams),
    loadProject(searchParams),
  ]);
  await Promise.all([
    api.notifications.list.prefetch(deliveryInput(filters, project)),
    api.recipients.list.prefetch(inProject(project)),
  ]);
  return (
    <HydrateClient>
      <DeliveriesPage />
    </HydrateClient>
  );
}
