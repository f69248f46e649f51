// The probabilities of one of MOA's classifiers: java -cp moa.jar:FOLDER MoaPeer TASK.csv CLASSES OUT CLASSIFIER
//
// The task is CSV with a header, features as numbers and the label, 0 to CLASSES - 1, as the last column. Each
// example is predicted, then learned from, once. CLASSIFIER is written as on MOA's command line, e.g.
// "meta.AdaptiveRandomForest -s 10". OUT gets CLASSES doubles per example, little-endian: the shares of the votes.
// The last line of the output is the processor time in seconds that this thread spent predicting and learning,
// without reading, and without the compiler and the collector of the Java machine.

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import moa.classifiers.Classifier;
import moa.options.ClassOption;

public final class MoaPeer {
  // Examples that are read before the clock runs; the whole stream is never in memory.
  private static final int CHUNK = 1000;

  private final InstancesHeader header;
  private final int classes;
  private final Classifier classifier;

  private MoaPeer(String[] names, int classes, String commandLine) throws Exception {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i + 1 < names.length; ++i) attributes.add(new Attribute(names[i]));
    attributes.add(new Attribute("label", IntStream.range(0, classes).mapToObj(Integer::toString).toList()));
    header = new InstancesHeader(new Instances("task", attributes, 0));
    header.setClassIndex(names.length - 1);
    this.classes = classes;
    classifier = (Classifier) ClassOption.cliStringToObject(commandLine, Classifier.class, null);
    classifier.setModelContext(header);
    classifier.prepareForUse();
  }

  private Instance instance(String line) {
    String[] fields = line.split(",");
    double[] values = new double[fields.length];
    for (int i = 0; i < fields.length; ++i) values[i] = Double.parseDouble(fields[i]);
    Instance instance = new DenseInstance(1.0, values);
    instance.setDataset(header);
    return instance;
  }

  // Classes without a vote have probability 0; without any votes all classes are equally likely. Naive Bayes in a leaf
  // can overflow: a vote that is not a number is none, and against an infinite one finite ones do not count.
  private void probabilities(Instance instance, double[] out) {
    double[] votes = classifier.getVotesForInstance(instance);
    double sum = total(votes, out);
    if (Double.isInfinite(sum)) {
      for (int k = 0; k < classes; ++k) out[k] = Double.isInfinite(out[k]) ? 1 : 0;
      sum = total(out, out);
    }
    for (int k = 0; k < classes; ++k) out[k] = sum > 0 ? out[k] / sum : 1.0 / classes;
  }

  private static double total(double[] votes, double[] out) {
    double sum = 0;
    for (int k = 0; k < out.length; ++k) {
      out[k] = k < votes.length && votes[k] > 0 ? votes[k] : 0;
      sum += out[k];
    }
    return sum;
  }

  public static void main(String[] arguments) throws Exception {
    int classes = Integer.parseInt(arguments[1]);
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    long spent = 0;
    try (BufferedReader reader = Files.newBufferedReader(Path.of(arguments[0]));
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(Path.of(arguments[2])))) {
      MoaPeer peer = new MoaPeer(reader.readLine().split(","), classes, arguments[3]);
      List<Instance> chunk = new ArrayList<>();
      ByteBuffer bytes = ByteBuffer.allocate(CHUNK * classes * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      double[] row = new double[classes];
      do {
        chunk.clear();
        bytes.clear();
        String line;
        while (chunk.size() < CHUNK && (line = reader.readLine()) != null) chunk.add(peer.instance(line));
        long start = clock.getCurrentThreadCpuTime();
        for (Instance instance : chunk) {
          peer.probabilities(instance, row);
          for (double probability : row) bytes.putDouble(probability);
          peer.classifier.trainOnInstance(instance);
        }
        spent += clock.getCurrentThreadCpuTime() - start;
        out.write(bytes.array(), 0, bytes.position());
      } while (chunk.size() == CHUNK);
    }
    System.out.println();
    System.out.println(spent * 1e-9);
  }
}
