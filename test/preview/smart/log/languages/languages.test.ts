import { describe, expect, it } from "vitest";
import { preview } from "../../../../../src/preview/preview.ts";

/** What tools of a language say: of trouble, of its absence, and of other things. */
interface Sayings {
  readonly quiet: (step: number) => string;
  readonly trouble: readonly string[];
  readonly negated: readonly string[];
  readonly passed: readonly string[];
  readonly prose: readonly string[];
}

const LANGUAGES: Readonly<Record<string, Sayings>> = {
  "simplified Chinese": {
    quiet: (step) => `正在处理第 ${step} 条记录，用时 ${step % 9} 毫秒`,
    trouble: [
      "错误：无法打开文件",
      "错误: 端口 8080 已被占用",
      "数据库连接失败",
      "发生异常",
      "用例 test_login 未通过",
      "致命错误：编译失败",
      "[错误] 拒绝访问",
      "请求超时，已重试 3 次",
      "找不到模块 shop",
      "严重: 部署中止",
      "内存不足",
      "参数无效：limit",
      "构建失败，退出码 2",
      "main.c:12:5: 错误：‘x’ 未声明",
    ],
    negated: ["没有错误", "编译完成，0 个错误", "错误：0", "未发现异常", "无错误", "失败 0 个", "没有发现任何错误"],
    passed: ["用例 登录失败时提示错误 通过", "[通过] 处理异常输入", "重试失败的任务：成功"],
    prose: ["今天天气很好，我们一起去公园散步，看见很多花。", "这个函数返回一个列表，里面是排好序的名字。"],
  },
  "traditional Chinese": {
    quiet: (step) => `正在處理第 ${step} 筆資料，耗時 ${step % 9} 毫秒`,
    trouble: [
      "錯誤：無法開啟檔案",
      "資料庫連線失敗",
      "發生例外狀況",
      "測試 login 未通過",
      "連線逾時",
      "存取遭到拒絕",
      "記憶體不足",
    ],
    negated: ["沒有錯誤", "0 個錯誤", "未發現異常", "失敗：0"],
    passed: ["案例 登入失敗 通過"],
    prose: ["今天天氣很好，我們一起去公園散步，看見許多花。"],
  },
  Japanese: {
    quiet: (step) => `${step} 件目のデータを処理しています（${step % 9} ミリ秒）`,
    trouble: [
      "エラー: ファイルを開けません",
      "エラー：接続が拒否されました",
      "データベースへの接続に失敗しました",
      "例外が発生しました",
      "モジュールが見つかりません",
      "致命的なエラー: 停止します",
      "要求がタイムアウトしました",
      "アクセスが拒否されました",
      "メモリ不足です",
      "[エラー] 設定を読み込めませんでした",
    ],
    negated: [
      "エラーなし",
      "エラーはありません",
      "0 件のエラー",
      "エラー: 0 件",
      "失敗 0",
      "エラーは見つかりませんでした",
    ],
    passed: ["テスト 接続に失敗したとき: 成功"],
    prose: ["今日は天気がよいので、公園を散歩して花を見ました。", "この関数は名前を並べた一覧を返します。"],
  },
  Korean: {
    quiet: (step) => `${step}번째 자료를 처리하고 있습니다 (${step % 9}ms)`,
    trouble: [
      "오류: 파일을 열 수 없습니다",
      "오류：연결이 거부되었습니다",
      "데이터베이스 연결에 실패했습니다",
      "예외가 발생했습니다",
      "모듈을 찾을 수 없습니다",
      "치명적 오류: 중단합니다",
      "요청 시간이 초과되었습니다",
      "빌드 실패",
      "[에러] 설정 파일이 존재하지 않습니다",
      "메모리 부족",
    ],
    negated: ["오류 없음", "오류가 없습니다", "0개의 오류", "오류: 0", "실패 0건"],
    passed: ["로그인 실패 처리 시험 ... 통과", "오류 처리 시험: 성공"],
    prose: ["오늘은 날씨가 좋아서 공원을 걸으며 꽃을 보았습니다.", "이 함수는 이름을 정렬한 목록을 돌려줍니다."],
  },
  German: {
    quiet: (step) => `Datensatz ${step} wird verarbeitet (${step % 9} ms)`,
    trouble: [
      "Fehler: Datei kann nicht geöffnet werden",
      "Verbindung zur Datenbank fehlgeschlagen",
      "Zugriff verweigert",
      "Die Datei konnte nicht gelesen werden",
      "Konnte die Verbindung zum Server nicht herstellen",
      "Modul »shop« nicht gefunden",
      "Schwerwiegender Fehler: Abbruch",
      "Unbehandelte Ausnahme in Zeile 12",
      "Zeitüberschreitung beim Warten auf den Server",
      "Prüfung login nicht bestanden",
      "FEHLER: Ungültiger Wert",
      "Syntaxfehler beim Token »;«",
      "Die Übersetzung ist gescheitert",
    ],
    negated: [
      "0 Fehler",
      "Keine Fehler gefunden",
      "Fehler: 0",
      "ohne Fehler beendet",
      "fehlerfrei",
      "0 fehlgeschlagen",
    ],
    passed: ["Prüfung »Zugriff verweigert« bestanden", "Anmeldung mit Fehler … erfolgreich"],
    prose: ["Heute ist das Wetter schön, und wir gehen durch den Park, um die Blumen zu sehen."],
  },
  French: {
    quiet: (step) => `Traitement de la ligne ${step} en ${step % 9} ms`,
    trouble: [
      "Erreur : impossible d'ouvrir le fichier",
      "Erreur: accès refusé",
      "Échec de la connexion à la base",
      "ÉCHEC du test login",
      "La compilation a échoué",
      "Impossible de se connecter au serveur",
      "Module shop introuvable",
      "Le fichier n’existe pas",
      "Délai d'attente dépassé",
      "ERREUR FATALE : arrêt",
      "main.c:12:5: erreur: « x » non déclaré",
      "Le serveur n'a pas pu répondre",
    ],
    negated: ["aucune erreur", "0 erreur", "Terminé sans erreur", "Erreurs : 0", "0 échec", "pas d'erreur"],
    passed: ["test du refus d'accès : échec attendu ... réussi", "connexion après erreur : succès"],
    prose: ["Il fait beau aujourd'hui, nous marchons dans le parc pour voir les fleurs."],
  },
  Spanish: {
    quiet: (step) => `Procesando el registro ${step} en ${step % 9} ms`,
    trouble: [
      "No se pudo abrir el archivo",
      "Error: no se encontró el módulo",
      "Falló la conexión con la base de datos",
      "FALLÓ la prueba login",
      "Acceso denegado",
      "No se puede leer la configuración",
      "Excepción no controlada",
      "Tiempo de espera agotado",
      "El archivo no existe",
      "Se produjeron 3 errores",
      "Argumento inválido: limit",
      "La compilación ha fallado",
    ],
    negated: ["sin errores", "0 errores", "Errores: 0", "No se encontraron errores", "ningún error", "0 fallos"],
    passed: ["prueba de acceso denegado ... correcto", "conexión fallida: superado"],
    prose: ["Hoy hace buen tiempo y caminamos por el parque para ver las flores."],
  },
  Portuguese: {
    quiet: (step) => `Processando o registro ${step} em ${step % 9} ms`,
    trouble: [
      "Erro: arquivo não encontrado",
      "ERRO: acesso negado",
      "Não foi possível abrir o arquivo",
      "A conexão com o banco falhou",
      "Falha na compilação",
      "Exceção não tratada",
      "Tempo limite esgotado",
      "Argumento inválido: limit",
      "O teste login não passou",
      "Terminou com erro",
      "Permissão negada",
    ],
    negated: ["sem erros", "0 erros", "nenhum erro", "Erros: 0", "0 falhas"],
    passed: ["teste de acesso negado ... passou", "conexão após falha: sucesso"],
    prose: ["Hoje o tempo está bom e caminhamos pelo parque para ver as flores."],
  },
  Italian: {
    quiet: (step) => `Elaborazione del record ${step} in ${step % 9} ms`,
    trouble: [
      "Errore: impossibile aprire il file",
      "ERRORE FATALE: arresto",
      "Connessione al database non riuscita",
      "Compilazione fallita",
      "Accesso negato",
      "Modulo shop non trovato",
      "Eccezione non gestita",
      "Tempo scaduto in attesa del server",
      "Il file non esiste",
      "Il test login non è stato superato: non superato",
      "Argomento non valido: limit",
    ],
    negated: ["0 errori", "nessun errore", "senza errori", "Errori: 0", "0 falliti"],
    passed: ["prova di accesso negato ... superato", "connessione dopo errore: riuscito"],
    prose: ["Oggi il tempo è bello e camminiamo nel parco per vedere i fiori."],
  },
  Russian: {
    quiet: (step) => `Обработка записи ${step} за ${step % 9} мс`,
    trouble: [
      "Ошибка: файл не найден",
      "ОШИБКА: отказано в доступе",
      "не удалось открыть файл",
      "Не удалось подключиться к базе данных",
      "Сбой соединения",
      "Необработанное исключение",
      "Превышено время ожидания",
      "Сборка завершилась с ошибкой",
      "Тест login не пройден",
      "Невозможно прочитать настройки",
      "Фатальная ошибка: остановка",
      "Недопустимый аргумент: limit",
      "main.c:12:5: ошибка: «x» не описан",
    ],
    negated: ["без ошибок", "0 ошибок", "Ошибок: 0", "ошибок нет", "ошибок не обнаружено", "Не найдено ошибок"],
    passed: ["проверка отказа в доступе ... пройден", "подключение после сбоя: успешно"],
    prose: ["Сегодня хорошая погода, и мы гуляем по парку, чтобы посмотреть на цветы."],
  },
  Polish: {
    quiet: (step) => `Przetwarzanie rekordu ${step} w ${step % 9} ms`,
    trouble: [
      "Błąd: nie można otworzyć pliku",
      "BŁĄD: odmowa dostępu",
      "Nie udało się połączyć z bazą",
      "Nie znaleziono modułu shop",
      "Kompilacja nie powiodła się",
      "Nieobsłużony wyjątek",
      "Przekroczono limit czasu",
      "Niepowodzenie testu login",
      "Plik nie istnieje",
      "Nieprawidłowy argument: limit",
      "Zakończono z błędem",
    ],
    negated: ["0 błędów", "brak błędów", "bez błędów", "Błędy: 0", "Nie znaleziono błędów"],
    passed: ["test odmowy dostępu ... zaliczony", "połączenie po awarii: sukces"],
    prose: ["Dziś jest ładna pogoda i spacerujemy po parku, aby zobaczyć kwiaty."],
  },
  Turkish: {
    quiet: (step) => `${step}. kayıt ${step % 9} ms içinde işleniyor`,
    trouble: [
      "Hata: dosya açılamadı",
      "HATA: ERİŞİM REDDEDİLDİ",
      "Veritabanına bağlanılamadı",
      "Derleme başarısız oldu",
      "DERLEME BAŞARISIZ",
      "shop modülü bulunamadı",
      "İşlem zaman aşımına uğradı",
      "Geçersiz değer: limit",
      "GEÇERSİZ DEĞER",
      "login testi geçemedi",
      "Ölümcül hata: duruyor",
      "Ayarlar okunamıyor",
    ],
    negated: ["hata yok", "0 hata", "Hata: 0", "hatasız tamamlandı", "Hiçbir hata bulunamadı", "hata bulunamadı"],
    passed: ["erişim hatası denemesi ... geçti", "bağlantı hatası sonrası: başarılı"],
    prose: ["Bugün hava güzel ve çiçekleri görmek için parkta yürüyoruz."],
  },
};

const HALF = 2500;

/** The blocks that were kept for something other than their place, in a run of 5,000 lines with one in the middle. */
function findsIn(sayings: Sayings, line: string): { readonly shown: boolean; readonly reasons: readonly string[] } {
  const quiet = (count: number, from: number): string[] =>
    Array.from({ length: count }, (_, index) => sayings.quiet(from + index));
  const text = [...quiet(HALF, 1), line, ...quiet(HALF, HALF)].join("\n");
  const { text: shown, blocks } = preview(text, { strategy: "smart", maxBytes: 4096 });
  const reasons = blocks.map(({ reason }) => reason).filter((reason) => reason !== "head" && reason !== "tail");
  return { shown: shown.split("\n").includes(line), reasons };
}

describe.each(Object.entries(LANGUAGES))("%s", (_, sayings) => {
  it.each(sayings.trouble)("shows %s", (line) => {
    expect(findsIn(sayings, line)).toMatchObject({ shown: true });
  });

  it.each(sayings.trouble.slice(0, 2))("shows, behind a time, %s", (line) => {
    expect(findsIn(sayings, `2026-05-04 12:41:41 ${line}`)).toMatchObject({ shown: true });
  });

  it.each([...sayings.negated, ...sayings.passed, ...sayings.prose])("takes no notice of %s", (line) => {
    expect(findsIn(sayings, line)).toEqual({ shown: false, reasons: [] });
  });
});
