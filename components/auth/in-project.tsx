"use client";
import { createContext, type ReactNode, useContext } from "react";

const projectAround = createContext<number | null>(null);

/** What is shown inside belongs to this project, where the user may have another role than in others. */
export function InProject({ id, children }: { id: number; children: ReactNode }) {
  return <projectAround.Provider value={id}>{children}</projectAround.Provider>;
}

/** The project that the surrounding page or row belongs to; null if it belongs to none or to several. */
export const useProjectAround = (): number | null => useContext(projectAround);

/** For lists: each row in its own project. */
export const inItsProject = ({ projectId }: { projectId: number }, drawn: ReactNode) => (
  <InProject id={projectId}>{drawn}</InProject>
);
