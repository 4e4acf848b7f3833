import { useQuery } from "@tanstack/react-query";
import { owedAmount, withdrawableAmount } from "lockflow-operations/amounts";
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { chains, resolveChain } from "../generated/manifest";
import type { FlowStream, LockupStream } from "./data";
import { formatDay, formatTokens, shorten } from "./format";
import { bar, flowProgress, lockupProgress, monthlyRate, type Progress } from "./progress";
import { flowActions, lockupActions } from "./queries";
import { Shape } from "./shape";
import { useFirst } from "./use-first";

type Stream = LockupStream | FlowStream;

type TableProps<S extends Stream> = {
  readonly query: {
    readonly data:
      | { readonly rows: readonly S[]; readonly complete: boolean; readonly failed: readonly string[] }
      | undefined;
    readonly error: Error | null;
  };
  readonly address: string;
};

export function LockupTable(props: TableProps<LockupStream>): ReactNode {
  return (
    <StreamTable
      {...props}
      title="Vesting"
      last="Ends"
      progressOf={lockupProgress}
      amountOf={(stream) => stream.depositAmount}
      lastOf={(stream) => formatDay(stream.endTime)}
      factsOf={(stream) => [
        ["Kind", stream.category.replace("Lockup", "")],
        ["Starts", formatDay(stream.startTime)],
        ...(stream.cliffTime === null ? [] : [["Cliff", formatDay(stream.cliffTime)] as const]),
        ["Cancelable", stream.cancelable ? "yes" : "no"],
        ["Withdrawable", formatTokens(stream, withdrawableAmount(stream, new Date()))],
      ]}
      shapeOf={(stream) => <Shape stream={stream} now={Date.now()} />}
      detailsOf={(stream) => <LockupActions stream={stream} />}
    />
  );
}

export function FlowTable(props: TableProps<FlowStream>): ReactNode {
  return (
    <StreamTable
      {...props}
      title="Payments"
      last="Per 30 days"
      progressOf={flowProgress}
      amountOf={(stream) => stream.depositedAmount}
      lastOf={(stream) => formatTokens(stream, monthlyRate(stream))}
      factsOf={(stream) => [
        ["Balance", formatTokens(stream, stream.availableAmount)],
        ["Owed", formatTokens(stream, owedAmount(stream, new Date()))],
        ["Balance lasts until", formatDay(stream.depletionTime)],
        ["Refunded", formatTokens(stream, stream.refundedAmount)],
        ["Last adjusted", formatDay(stream.lastAdjustmentTimestamp)],
      ]}
      detailsOf={(stream) => <FlowActions stream={stream} />}
    />
  );
}

type Kind<S extends Stream> = {
  readonly title: string;
  readonly last: string;
  readonly progressOf: (stream: S, now: number) => Progress;
  readonly amountOf: (stream: S) => bigint;
  readonly lastOf: (stream: S) => string;
  readonly factsOf: (stream: S) => readonly (readonly [label: string, value: string])[];
  /** How it unlocks, unless it is a single line. */
  readonly shapeOf?: (stream: S) => ReactNode;
  readonly detailsOf: (stream: S) => ReactNode;
};

function StreamTable<S extends Stream>(props: TableProps<S> & Kind<S>): ReactNode {
  const { data, error } = props.query;
  const { title, last } = props;
  const [open, setOpen] = useState<string | null>(null);
  const [shown, more] = useFirst(
    useMemo(() => (data?.rows ?? []).toSorted(newestFirst), [data]),
    50,
  );
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>
          {title}{" "}
          {data && (
            <span className="soft">
              {!data.complete && "at least "}
              {data.rows.length}
            </span>
          )}
        </h2>
        <span className="legend">
          <span>
            <i style={{ background: "var(--accent)" }} />
            withdrawn
          </span>
          <span>
            <i style={{ background: "var(--accent-soft)" }} />
            streamed
          </span>
        </span>
      </header>
      {!data && !error && <p className="message">Loading…</p>}
      {error && (
        <p className="message bad" role="alert">
          {title} could not be loaded: {error.message}
        </p>
      )}
      {data?.rows.length === 0 && (
        <p className="message">
          {data.complete
            ? "None with this address."
            : "None with this address on the chains that have answered."}
        </p>
      )}
      {shown.length > 0 && (
        <div className="scroll">
          <table>
            <thead>
              <tr>
                <th>Stream</th>
                <th>With</th>
                <th>Progress</th>
                <th className="number">Amount</th>
                <th className="number">{last}</th>
                <th>Status</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((stream) => (
                <Row
                  key={stream.id}
                  {...props}
                  stream={stream}
                  isOpen={open === stream.id}
                  toggle={() => setOpen(open === stream.id ? null : stream.id)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more}
    </section>
  );
}

const newestFirst = (a: Stream, b: Stream) => Number(b.timestamp) - Number(a.timestamp);

function Row<S extends Stream>(
  props: TableProps<S> &
    Kind<S> & { readonly stream: S; readonly isOpen: boolean; readonly toggle: () => void },
): ReactNode {
  const { stream, isOpen, toggle, address } = props;
  const progress = props.progressOf(stream, Date.now());
  const lengths = bar(progress);
  const isIncoming = stream.recipient === address;
  const percent = `${Math.floor(lengths.streamed * 100)} %`;
  return (
    <Fragment>
      <tr data-stream={stream.id} onClick={toggle}>
        <td>
          <button type="button" className="alias" aria-expanded={isOpen}>
            {stream.alias}
          </button>
          <div className="soft small">{chains[resolveChain(stream.chainId)].name}</div>
        </td>
        <td>
          <span className="soft small">{isIncoming ? "from" : "to"}</span>
          <div className="mono">{shorten(isIncoming ? stream.sender : stream.recipient)}</div>
        </td>
        <td>
          {props.shapeOf?.(stream)}
          <div className="soft small">{percent}</div>
          <div className="bar" role="img" aria-label={`${percent} streamed`}>
            <i className="streamed" style={{ width: `${lengths.streamed * 100}%` }} />
            <i className="withdrawn" style={{ width: `${lengths.withdrawn * 100}%` }} />
          </div>
        </td>
        <td className="number">{formatTokens(stream, props.amountOf(stream))}</td>
        <td className="number">{props.lastOf(stream)}</td>
        <td>
          <span className={badge(progress.status)}>{progress.status}</span>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={6} style={{ padding: 0 }}>
            <div className="details">
              <dl className="facts">
                {[
                  ...props.factsOf(stream),
                  ["Streamed", formatTokens(stream, progress.streamed)] as const,
                  ["Withdrawn", formatTokens(stream, progress.withdrawn)] as const,
                ].map(([label, value]) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
              {props.detailsOf(stream)}
            </div>
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function LockupActions({ stream }: { readonly stream: LockupStream }): ReactNode {
  const { data, error } = useQuery(lockupActions(stream));
  return <Actions stream={stream} actions={data?.data.actions} error={error} />;
}

function FlowActions({ stream }: { readonly stream: FlowStream }): ReactNode {
  const { data, error } = useQuery(flowActions(stream));
  return <Actions stream={stream} actions={data?.data.actions} error={error} />;
}

type Action = {
  readonly id: string;
  readonly category: string;
  readonly timestamp: Date;
  readonly hash: string;
  readonly from: string;
  readonly amountA: bigint | null;
  readonly amountB: bigint | null;
};

function Actions({
  stream,
  actions,
  error,
}: {
  readonly stream: Stream;
  readonly actions: readonly Action[] | undefined;
  readonly error: Error | null;
}): ReactNode {
  if (error) return <p className="message bad">{error.message}</p>;
  if (!actions) return <p className="message">Loading…</p>;
  const explorer = chains[resolveChain(stream.chainId)].blockExplorer;
  return (
    <>
      <h3>What happened</h3>
      <ol className="actions">
        {actions.map(({ id, category, timestamp, hash, from, amountA, amountB }) => (
          <li key={id}>
            <strong>{category.replace(/(?<=[a-z])(?=[A-Z])/g, " ")}</strong>
            {` ${(amountA ?? amountB) ? formatTokens(stream, amountA ?? amountB ?? 0n) : ""} `}
            <span className="soft small">
              {formatDay(timestamp)} by <span className="mono">{shorten(from)}</span> ·{" "}
              <a href={`${explorer}/tx/${hash}`} target="_blank" rel="noreferrer">
                transaction
              </a>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function badge(status: Progress["status"]): string {
  if (status === "Streaming") return "badge on";
  return status === "Insolvent" || status === "Voided" ? "badge bad" : "badge";
}
