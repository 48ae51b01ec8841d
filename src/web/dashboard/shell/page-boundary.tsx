import { Component, type ReactNode } from "react";
import { toApiError } from "../api-error.ts";
import { Failed } from "../kit/feedback/failed.tsx";
import { PageHeader } from "../kit/layout/page-header.tsx";

interface PageBoundaryProps {
  children: ReactNode;
}

/** Keeps a fault in a page: the rest stays, and the page can be tried again. React asks for a class here. */
export class PageBoundary extends Component<PageBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <>
        <PageHeader title="This page broke" />
        <Failed error={toApiError(this.state.error)} retry={() => this.setState({ error: undefined })} />
      </>
    );
  }
}
