import type { z } from "zod";
import { byId, listOf } from "../db/schema-parts.ts";
import { procedureFor } from "../trpc.ts";
import { chatAccountSchema, chatLinkInput, chatLinkSchema } from "./schema.ts";
import {
  linkChatAccount,
  listChatAccounts,
  showChatLink,
  unlinkChatAccount,
} from "./service/chat-accounts.ts";

type Account = z.output<typeof chatAccountSchema>;

const named = {
  audit: "chatAccount",
  auditDetail: ({ service, name, teamId }: Account) => `${name} in ${service} ${teamId}`,
};

/** For the browser: the accounts at chat services that act as the caller. */
export const chatProcedures = {
  chatAccounts: procedureFor("own-sessions:manage")
    .output(listOf(chatAccountSchema))
    .query(({ ctx }) => listChatAccounts(ctx)),

  chatLink: procedureFor("own-sessions:manage")
    .input(chatLinkInput)
    .output(chatLinkSchema)
    .query(({ ctx, input }) => showChatLink(ctx, input.token)),

  linkChat: procedureFor("own-sessions:manage")
    .meta(named)
    .input(chatLinkInput)
    .output(chatAccountSchema)
    .mutation(({ ctx, input }) => linkChatAccount(ctx, input.token)),

  unlinkChat: procedureFor("own-sessions:manage")
    .meta(named)
    .input(byId)
    .output(chatAccountSchema)
    .mutation(({ ctx, input }) => unlinkChatAccount(ctx, input.id)),
};
