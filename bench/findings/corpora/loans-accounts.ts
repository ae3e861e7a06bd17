import type { Random } from "../../../faults/random.ts";
import { cents, dayMs, heavyTailed, normal } from "../draw.ts";
import { type Customer, takeover } from "./loans-parties.ts";
import {
  fixedRate,
  indexAt,
  monthsLater,
  nextWorkday,
  type Product,
  products,
  today,
  yearOf,
} from "./loans-rates.ts";

/** What was lent, and how it is paid back, month by month. */

/** What was posted before is in the archive. */
const postingsFrom = Date.parse("2024-05-01");
/** Whoever asked in the pandemic could pause. */
const pandemic = Date.parse("2020-04-01");

type Code = "DSB" | "PMT" | "PRP" | "POF" | "REV" | "FEE" | "CAP" | "DRW" | "WOF";

export type Posting = {
  id: number;
  loan: Loan;
  code: Code;
  posted: number;
  value: number;
  principal: number;
  interest: number;
  fee: number;
  balance: number;
  reverses: Posting | null;
  isBatch: boolean;
};

type Dunning = { loan: Loan; day: number; level: number; due: number; fee: number };

export type Loan = {
  no: string;
  customer: Customer;
  product: Product;
  applied: number;
  /** None while it is only granted. */
  opened: number | null;
  matures: number | null;
  months: number;
  paused: number;
  principal: number;
  disbursed: number;
  rate: number;
  margin: number | null;
  day: number;
  annuity: number | null;
  balance: number;
  status: "P" | "A" | "D" | "C" | "X";
  closed: number | null;
  reason: string | null;
  refinances: Loan | null;
  /** Since when something is open. */
  lateSince: number | null;
  isTaken: boolean;
  postings: Posting[];
  dunnings: Dunning[];
};

/** Modulo 11; numbers whose digit would be a ten are left out. */
export function withCheckDigit(body: string): string | null {
  const sum = [...body]
    .toReversed()
    .reduce((all, digit, index) => all + Number(digit) * (2 + (index % 6)), 0);
  const digit = (11 - (sum % 11)) % 11;
  return digit === 10 ? null : `${body}${digit}`;
}

export function loansOf(random: Random, customers: readonly Customer[]): Loan[] {
  const able = customers.filter(({ mergedInto }) => mergedInto === null);
  const loans: Loan[] = [];
  for (let count = 0; count < 1000; count++) {
    const loan = grantedTo(random, random.pick(able));
    if (!loan) continue;
    run(random, loan);
    loans.push(loan);
    for (let next = followerOf(random, loan); next; next = followerOf(random, next)) {
      run(random, next);
      loans.push(next);
    }
  }
  loans.sort((a, b) => a.applied - b.applied);
  let [own, taken] = [30_011_000, 81_200_400];
  for (const loan of loans) {
    const draw = () => {
      if (loan.isTaken) taken += random.between(1, 90);
      else own += random.between(1, 60);
      return withCheckDigit(`0${loan.isTaken ? taken : own}`);
    };
    for (let no = draw(); ; no = draw()) {
      if (no === null) continue;
      loan.no = no;
      break;
    }
  }
  return loans;
}

function grantedTo(random: Random, customer: Customer): Loan | null {
  const from = Math.max(
    customer.since,
    Date.parse("2003-02-03"),
    (customer.born ?? 0) + 18.2 * 365.25 * dayMs,
  );
  const to = Math.min(today, customer.died ?? today) - 2 * dayMs;
  if (from >= to) return null;
  const applied = nextWorkday(from + Math.floor(random.next() ** 0.8 * (to - from)));
  if (applied >= to) return null;
  const sold = products.filter(
    (product) =>
      product.forWhom === customer.kind &&
      Date.parse(product.from) <= applied &&
      (product.to === null || Date.parse(product.to) >= applied),
  );
  const weights = sold.reduce((sum, { share }) => sum + share, 0);
  let rest = random.next() * weights;
  const product = sold.find(({ share }) => {
    rest -= share;
    return rest < 0;
  });
  return product ? loanOf(random, { customer, product, applied }) : null;
}

type Start = { customer: Customer; product: Product; applied: number; principal?: number };

function loanOf(random: Random, { customer, product, applied, principal }: Start): Loan {
  const [least, usual, most] = product.amounts;
  const step = usual > 50_000 ? 1000 : 500;
  const drawn = Math.min(most, Math.max(least, Math.round(heavyTailed(random, usual, 0.6) / step) * step));
  const months = random.pick(product.months);
  const waits =
    product.code === "KK02"
      ? random.between(0, 3)
      : random.between(3, product.months.includes(300) ? 70 : 25);
  const opened = nextWorkday(applied + waits * dayMs);
  const margin = product.isVariable ? random.between(6, 20) / 8 + (product.way === "REV" ? 3 : 0) : null;
  const amount = principal ?? drawn;
  return {
    no: "",
    customer,
    product,
    applied,
    opened: opened < today ? opened : null,
    matures: product.way === "REV" || opened >= today ? null : monthsLater(opened, months, 31),
    months,
    paused: 0,
    principal: amount,
    disbursed: 0,
    rate: margin === null ? Math.round((fixedRate(product, applied) + normal(random) * 0.25) * 40) / 40 : 0,
    margin,
    day: random.pick([1, 1, 5, 15, 31]),
    annuity: null,
    balance: 0,
    status: "P",
    closed: null,
    reason: null,
    refinances: null,
    lateSince: null,
    isTaken: customer.no > 7_000_000 && opened < takeover,
    postings: [],
    dunnings: [],
  };
}

/** A new loan pays the old one back; those in francs were changed into euros like that. */
function followerOf(random: Random, loan: Loan): Loan | null {
  if (loan.closed === null || loan.reason !== "REFI") return null;
  const [product] =
    loan.product.currency === "CHF" ? products.filter(({ code }) => code === "WB01") : [loan.product];
  const isSold = product && (product.to === null || Date.parse(product.to) > loan.closed);
  const { died } = loan.customer;
  if (!product || !isSold || (died !== null && died < loan.closed)) {
    loan.reason = "EARLY";
    return null;
  }
  const principal = Math.ceil((loan.principal * (loan.product.currency === "CHF" ? 0.93 : 0.85)) / 500) * 500;
  const applied = nextWorkday(loan.closed - 30 * dayMs);
  const next = loanOf(random, { customer: loan.customer, product, applied, principal });
  next.opened = loan.closed;
  next.matures = monthsLater(loan.closed, next.months, 31);
  next.refinances = loan;
  return next;
}

const annuityOf = (balance: number, rate: number, months: number): number =>
  rate <= 0 ? cents(balance / months) : cents((balance * (rate / 1200)) / (1 - (1 + rate / 1200) ** -months));

/** From its first day until today, or until it is paid. */
function run(random: Random, loan: Loan): void {
  const { product, opened, customer } = loan;
  if (product.code === "FO01") loan.rate = 0;
  else loan.rate = Math.max(0.25, loan.rate);
  if (opened === null) return;
  const post = (code: Code, posted: number, amounts: Partial<Posting>): Posting => {
    const { principal = 0 } = amounts;
    loan.balance = cents(loan.balance - principal);
    const zero = { principal: 0, interest: 0, fee: 0, value: posted, reverses: null, isBatch: true };
    const posting = { ...zero, id: 0, loan, code, posted, balance: loan.balance, ...amounts };
    if (posted >= postingsFrom) loan.postings.push(posting);
    return posting;
  };
  loan.status = "A";
  if (product.way === "REV") {
    runLine(random, loan, post);
    return;
  }
  // Who builds a house gets the money as it grows.
  const parts =
    product.code.startsWith("WB") && loan.refinances === null && random.chance(0.3)
      ? random.between(2, 4)
      : 1;
  const part = Math.floor(loan.principal / parts / 100) * 100;
  const disburse = (day: number, index: number) => {
    const amount = index === parts - 1 ? loan.principal - part * (parts - 1) : part;
    loan.disbursed += amount;
    post("DSB", day, { principal: -amount, isBatch: false });
  };
  disburse(opened, 0);
  const stops = random.chance(customer.isWeak ? 0.3 : 0.012) ? random.between(8, 90) : null;
  const pauses = opened < pandemic && random.chance(0.1) ? random.between(3, 9) : 0;
  let next = 1;
  for (let month = 1; ; month++) {
    const due = monthsLater(opened, month, loan.day);
    const posted = nextWorkday(due);
    if (posted >= today) return;
    if (product.isVariable && (month === 1 || month % 3 === 0))
      loan.rate = Math.max(loan.margin ?? 0, cents(indexAt(product.currency, due) + (loan.margin ?? 0)));
    if (next < parts && month % 3 === 0) disburse(posted, next++);
    const interest = cents((loan.balance * loan.rate) / 1200);
    const isPaused = due >= pandemic && due < monthsLater(pandemic, pauses, 1);
    if (isPaused) {
      loan.paused++;
      loan.matures = monthsLater(loan.matures ?? due, 1, 31);
      if (interest > 0) post("CAP", posted, { principal: -interest, interest });
      continue;
    }
    if (stops !== null && month >= stops) {
      stop(random, loan, due, post);
      return;
    }
    const left = Math.max(1, loan.months + loan.paused - month + 1);
    const isBuilding = next < parts;
    const isReset = loan.annuity === null || (product.isVariable && month % 3 === 0) || isBuilding;
    if (product.way === "ANN" && isReset && !isBuilding)
      loan.annuity = annuityOf(loan.balance, loan.rate, left);
    if (product.way === "LIN") loan.annuity = cents(loan.principal / loan.months);
    const rate = product.way === "LIN" ? (loan.annuity ?? 0) : Math.max(0, (loan.annuity ?? 0) - interest);
    const isLast = left === 1;
    const principal = isBuilding
      ? 0
      : isLast
        ? loan.balance
        : product.way === "BUL"
          ? 0
          : Math.min(loan.balance, cents(rate));
    const payment = post("PMT", posted, { value: due, principal, interest });
    if (loan.balance <= 0) {
      close(loan, posted, isLast ? "PAID" : "EARLY");
      return;
    }
    if (random.chance(customer.isWeak ? 0.1 : 0.004) && !bounce(random, payment, post)) return;
    const isFreed = !isBuilding && month > 6;
    if (isFreed && random.chance(0.004)) {
      const amount = Math.min(
        loan.balance - 1,
        Math.round(heavyTailed(random, loan.principal * 0.06, 0.7) / 100) * 100,
      );
      const day = nextWorkday(due + random.between(13, 22) * dayMs);
      if (amount > 0 && day < today && loan.lateSince === null && isBefore(loan, day))
        post("PRP", day, { principal: amount, isBatch: false });
    }
    const isConverted = product.currency === "CHF" && yearOf(due) > 2009 && random.chance(0.004);
    const day = nextWorkday(due + random.between(23, 25) * dayMs);
    if (isFreed && day < today && isBefore(loan, day) && (isConverted || random.chance(0.0045))) {
      const since = cents((loan.balance * loan.rate * 24) / 36_000);
      const fee = product.code === "WB02" ? cents(loan.balance * 0.01) : 0;
      post("POF", day, { principal: loan.balance, interest: since, fee, isBatch: false });
      close(loan, day, isConverted || random.chance(0.35) ? "REFI" : "EARLY");
      return;
    }
  }
}

type Post = (code: Code, posted: number, amounts: Partial<Posting>) => Posting;

/** Nothing is posted before what was. */
const isBefore = ({ postings }: Loan, day: number): boolean => (postings.at(-1)?.posted ?? 0) <= day;

function close(loan: Loan, day: number, reason: string): void {
  loan.status = "C";
  loan.closed = day;
  loan.reason = reason;
}

/** The debit comes back, costs something, and is paid by hand; whether it was before today. */
function bounce(random: Random, payment: Posting, post: Post): boolean {
  const { loan, posted, value, principal, interest } = payment;
  const back = nextWorkday(posted + random.between(2, 5) * dayMs);
  if (back >= today) return true;
  post("REV", back, { value, principal: -principal, interest: -interest, reverses: payment });
  const fee = yearOf(back) < 2025 ? 4.5 : 5;
  post("FEE", back, { fee: -fee });
  loan.lateSince = value;
  const paid = nextWorkday(back + random.between(3, 11) * dayMs);
  const isLong = paid > value + 14 * dayMs;
  if (isLong && nextWorkday(value + 14 * dayMs) < today)
    loan.dunnings.push({
      loan,
      day: nextWorkday(value + 14 * dayMs),
      level: 1,
      due: cents(principal + interest + fee),
      fee: 0,
    });
  if (paid >= today) return false;
  post("PMT", paid, { principal, interest, fee, isBatch: false });
  loan.lateSince = null;
  return true;
}

/** Reminders, then the whole is due; after a year or two what is left is given up, or sold. */
function stop(random: Random, loan: Loan, since: number, post: Post): void {
  loan.lateSince = since;
  const open = cents((loan.annuity ?? loan.balance * 0.004) * 1);
  for (const [index, days] of [15, 45, 75].entries()) {
    const day = nextWorkday(since + days * dayMs);
    if (day >= today) return;
    const fee = index === 0 ? 0 : index === 1 ? 15 : 30;
    if (fee > 0) post("FEE", day, { fee: -fee });
    loan.dunnings.push({ loan, day, level: index + 1, due: cents(open * (index + 1)), fee });
  }
  if (nextWorkday(since + 96 * dayMs) >= today) return;
  loan.status = "D";
  const end = nextWorkday(since + random.between(400, 900) * dayMs);
  if (end >= today) return;
  post("WOF", end, { principal: loan.balance, isBatch: false });
  loan.lateSince = null;
  close(loan, end, random.chance(0.3) ? "SOLD" : "WOFF");
  loan.status = "X";
}

/** Drawn as needed; now and then there is more on it than was owed. Interest is added each quarter. */
function runLine(random: Random, loan: Loan, post: Post): void {
  const { opened } = loan;
  loan.disbursed = 0;
  const usual = random.next() * 0.8;
  for (let month = 1; opened !== null; month++) {
    const start = monthsLater(opened, month, 1);
    for (
      let day = nextWorkday(start + random.between(1, 4) * dayMs);
      day < start + 27 * dayMs && day < today;
    ) {
      const wanted = loan.principal * Math.min(0.98, usual + normal(random) * 0.25);
      const amount = cents(loan.balance - wanted + random.between(-9999, 9999) / 100);
      if (Math.abs(amount) > 100 && loan.balance - amount < loan.principal)
        post(amount > 0 ? "PMT" : "DRW", day, { principal: amount, isBatch: false });
      day = nextWorkday(day + random.between(4, 16) * dayMs);
    }
    const end = nextWorkday(monthsLater(opened, month + 1, 1));
    if (end >= today) return;
    loan.rate = Math.max(loan.margin ?? 0, cents(indexAt("EUR", end) + (loan.margin ?? 0)));
    const interest = cents((Math.max(0, loan.balance) * loan.rate) / 400);
    if (new Date(end).getUTCMonth() % 3 === 0 && interest > 0)
      post("CAP", end, { principal: -interest, interest });
  }
}
