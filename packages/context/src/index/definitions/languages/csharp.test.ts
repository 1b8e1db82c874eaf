import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('types, methods and properties that compute are found, and properties that only hold a value are not', () => {
  const text = `
using System;

namespace Newtonsoft.Json
{
    #region License
    /// <summary>Docs { }</summary>
    [Serializable, Attr("{")]
    public static partial class JsonConvert<T> : Base, IFace where T : new()
    {
        public const string True = "true";
        private static readonly Dictionary<string, int> Map = new Dictionary<string, int>
        {
            ["a"] = 1,
        };
        public string Name { get; set; }
        public int Count
        {
            get { return _count; }
        }
        public bool IsEmpty => Count == 0;
        public event EventHandler Changed;

        public JsonConvert(int x) : base(x)
        {
            var s = @"C:\\" + $"{x}}}" + '"';
        }

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static async Task<List<T>> SerializeAsync<TValue>(TValue value, params object[] args)
            where TValue : class
        {
            if (value == null) { return null; }
        }

        public override string ToString() => $"{Name}";
        void IFace.Run() { }
        public static bool operator ==(A a, A b) => true;
        public delegate void Handler(int x);
        public T this[int i] { get { return default; } }

        private enum Mode { A, B }
    }
    #endregion

    public interface IFace { void Run(); string Key { get; } }
    public record Point(int X, int Y);
    public readonly struct Span2 { }
}
`;

  expect(outline('a.cs', text)).toEqual([
    '8-42 class JsonConvert',
    '10-10 constant JsonConvert > True',
    '11-14 constant JsonConvert > Map',
    '16-19 method JsonConvert > Count',
    '20-20 method JsonConvert > IsEmpty',
    '23-26 method JsonConvert > JsonConvert',
    '29-33 method JsonConvert > SerializeAsync',
    '35-35 method JsonConvert > ToString',
    '36-36 method JsonConvert > Run',
    '37-37 method JsonConvert > operator ==',
    '38-38 type JsonConvert > Handler',
    '41-41 enum JsonConvert > Mode',
    '45-45 interface IFace',
    '45-45 method IFace > Run',
    '46-46 class Point',
    '47-47 class Span2',
  ]);
});
