import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode, useEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { router } from './app/router.tsx';
import { keepAboveKeyboard } from './design/covered-height.ts';
import './design/design.css';
import { TooltipLayer } from './design/tooltip-layer.tsx';
import { firstLanguage, type Language, LanguageContext } from './words/language.ts';

// Dialogs keep the page behind them from scrolling with a style of their own, which the content policy knows by this.
setNonce(document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '');

function App() {
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => document.documentElement.setAttribute('lang', language === 'zh' ? 'zh-CN' : 'en'), [language]);
  const given = useMemo(() => {
    const choose = (next: Language) => {
      localStorage.setItem('language', next);
      setLanguage(next);
    };
    return { language, choose };
  }, [language]);
  return (
    <LanguageContext value={given}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <TooltipLayer />
      </QueryClientProvider>
    </LanguageContext>
  );
}

keepAboveKeyboard();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
